import {
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isUnionType,
  type GraphQLNamedType,
} from 'graphql';
import { Section } from '../../design/basics.js';
import { Table } from '../../design/table.js';
import { pathIn } from '../layout.js';
import { referenceContent, type Frame } from './frame.js';
import { domainPath, rootId, type Domain, type Domains, type RootField } from './graphql-domains.js';
import { Deprecation, Fields, TypeLink, TypeLinks, Values, type Place } from './graphql-parts.js';
import { messagesOf, type ReferenceMessages } from './messages.js';
import { Description } from './parts.js';

const kinds = ['queries', 'mutations', 'subscriptions'] as const;

function withinGraphql(domains: Domains, text: ReferenceMessages) {
  const items = domains.all.map(({ name }) => ({ href: domainPath(name), text: text.domains[name] ?? name }));
  return { href: '/docs/graphql', items };
}

/** The domains of the graph, with what each has. */
export function graphqlIndexPage(frame: Frame, domains: Domains) {
  const { locale } = frame;
  const text = messagesOf(locale);
  return referenceContent(frame, {
    title: text.graphql,
    within: withinGraphql(domains, text),
    english: false,
    body: (
      <>
        <div className="head">
          <h1>{text.graphql}</h1>
          <p>
            <code>POST /graphql</code> · <a href="/schema.graphql">{text.sdl}</a>
          </p>
        </div>
        <Table
          caption={text.graphql}
          rows={domains.all}
          keyOf={({ name }) => name}
          empty={text.empty}
          columns={[
            {
              label: text.table.domain,
              cell: ({ name }) => <a href={pathIn(locale, domainPath(name))}>{text.domains[name] ?? name}</a>,
            },
            ...kinds.map((kind) => ({
              label: text[kind],
              kind: 'number' as const,
              cell: ({ roots }: Domain) => roots.filter((one) => one.kind === kind).length,
            })),
            { label: text.types, kind: 'number', cell: ({ types }) => types.length },
          ]}
        />
      </>
    ),
  });
}

/** Every root field and type of a domain. */
export function domainPage(frame: Frame, domains: Domains, domain: Domain) {
  const text = messagesOf(frame.locale);
  const place = { frame, domains, domain };
  const title = text.domains[domain.name] ?? domain.name;
  const groups = kinds
    .map((kind) => ({ kind, roots: domain.roots.filter((one) => one.kind === kind) }))
    .filter(({ roots }) => roots.length > 0);
  return referenceContent(frame, {
    title: `GraphQL · ${title}`,
    within: withinGraphql(domains, text),
    body: (
      <>
        <div className="head">
          <h1>{title}</h1>
        </div>
        {groups.map(({ kind, roots }) => (
          <Section key={kind} id={kind} title={text[kind]}>
            {roots.map((root) => (
              <Root key={root.field.name} root={root} place={place} />
            ))}
          </Section>
        ))}
        <Section id="types" title={text.types}>
          {domain.types.map((type) => (
            <TypePart key={type.name} type={type} place={place} />
          ))}
        </Section>
      </>
    ),
  });
}

function Root({ root, place }: { readonly root: RootField; readonly place: Place }) {
  const { field } = root;
  const { locale } = place.frame;
  const text = messagesOf(locale);
  return (
    <div className="part" id={rootId(root)}>
      <h3>
        <code>{field.name}</code> <TypeLink type={field.type} place={place} />
      </h3>
      <Deprecation reason={field.deprecationReason} place={place} />
      <Description text={field.description ?? ''} locale={locale} />
      {field.args.length === 0 ? null : (
        <Fields caption={`${field.name}: ${text.arguments}`} fields={field.args} id={rootId(root)} place={place} />
      )}
    </div>
  );
}

function TypePart({ type, place }: { readonly type: GraphQLNamedType; readonly place: Place }) {
  const text = messagesOf(place.frame.locale);
  return (
    <div className="part" id={type.name}>
      <h3>
        <code>{type.name}</code> <span className="muted small">{kindOf(type)}</span>
      </h3>
      <Description text={type.description ?? ''} locale={place.frame.locale} />
      {isObjectType(type) && type.getInterfaces().length > 0 ? (
        <p className="small">
          {text.implements}: <TypeLinks types={type.getInterfaces()} place={place} />
        </p>
      ) : null}
      {isUnionType(type) ? (
        <p>
          {text.oneOf}: <TypeLinks types={type.getTypes()} place={place} />
        </p>
      ) : null}
      {isEnumType(type) ? <Values type={type} place={place} /> : null}
      {isObjectType(type) || isInterfaceType(type) || isInputObjectType(type) ? (
        <Fields
          caption={`${type.name}: ${text.fields}`}
          fields={Object.values(type.getFields())}
          id={type.name}
          place={place}
        />
      ) : null}
    </div>
  );
}

function kindOf(type: GraphQLNamedType): string {
  if (isObjectType(type)) return 'type';
  if (isInterfaceType(type)) return 'interface';
  if (isInputObjectType(type)) return 'input';
  if (isUnionType(type)) return 'union';
  return isEnumType(type) ? 'enum' : 'scalar';
}
