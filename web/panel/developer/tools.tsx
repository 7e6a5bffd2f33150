import { PageHead } from '../frame/parts.js';
import { developerTexts } from './texts.js';

/** Links to what developers use beside the panel. */
export function Tools() {
  const { tools: text } = developerTexts.get();
  const links = [
    { href: '/graphql', title: text.graphiql, about: text.graphiqlText },
    { href: '/docs', title: text.reference, about: text.referenceText },
    { href: '/openapi.json', title: text.openapi, about: text.openapiText },
    { href: '/schema.graphql', title: text.schema, about: text.schemaText },
  ];
  return (
    <>
      <PageHead title={text.title} lead={text.lead} />
      <ul className="plain-list">
        {links.map(({ href, title, about }) => (
          <li key={href}>
            <a href={href}>{title}</a>
            <span className="sub">{about}</span>
          </li>
        ))}
      </ul>
    </>
  );
}
