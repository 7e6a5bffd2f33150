import { Section } from '../../design/basics.js';
import { Button } from '../../design/controls/button.js';
import { TextInput } from '../../design/controls/fields.js';
import { Form, PageHead, textOf } from '../frame/parts.js';
import { useAction } from '../frame/use-graph.js';
import { developerTexts } from './texts.js';

/** The place from which the editor takes a key that it puts into its headers (`gateway/graphql/graphiql.ts`). */
const editorKeyPlace = 'lastro-editor-key';
const editor = '/graphql';

/** Links to what developers use beside the panel. */
export function Tools() {
  const { tools: text } = developerTexts.get();
  const links = [
    { href: editor, title: text.graphiql, about: text.graphiqlText },
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
      <Section id="editor" title={text.withKey}>
        <EditorWithKey />
      </Section>
    </>
  );
}

/** Opens the editor with a key in its headers. Without one it works with the session of this browser. */
function EditorWithKey() {
  const { tools: text } = developerTexts.get();
  const action = useAction();
  return (
    <Form
      action={action}
      fields={['key']}
      label={text.withKey}
      onSubmit={(values) => {
        sessionStorage.setItem(editorKeyPlace, textOf(values, 'key').trim());
        location.assign(editor);
      }}
    >
      <TextInput name="key" type="password" label={text.key} hint={text.keyHint} isRequired />
      <Button type="submit">{text.openWithKey}</Button>
    </Form>
  );
}
