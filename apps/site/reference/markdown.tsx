import { marked, type Token, type Tokens } from 'marked';
import { Fragment, type ReactNode } from 'react';

/** How a text is shown where it stands. */
export interface MarkdownPlace {
  /** Returns the address that a link leads to; undefined where there is no page for it, and its text stays. */
  readonly linkOf?: (href: string) => string | undefined;
  /** Added to the level of each heading. */
  readonly deeper?: number;
  /** Put before the ids of headings, where a page has several texts. */
  readonly prefix?: string;
}

export interface Heading {
  readonly id: string;
  readonly text: string;
  readonly level: number;
}

/** Shows Markdown. HTML in it is text: only what Markdown itself expresses is shown. */
export function Markdown({ text, ...place }: MarkdownPlace & { readonly text: string }) {
  return <Blocks tokens={marked.lexer(text)} place={place} />;
}

/** Shows Markdown of one paragraph, without the element around it. */
export function InlineMarkdown({ text, ...place }: MarkdownPlace & { readonly text: string }) {
  return <>{inline(marked.Lexer.lexInline(text), place)}</>;
}

/** Returns the headings of a text, in order. */
export function headingsOf(text: string, prefix = ''): readonly Heading[] {
  return marked.lexer(text).flatMap((token) => {
    if (!isHeading(token)) return [];
    return [{ id: `${prefix}${headingId(token.text)}`, text: plain(token), level: token.depth }];
  });
}

/** Returns the id of a heading: its number, as `s9-2`, or its words. */
export function headingId(text: string): string {
  const number = /^(\d+(?:\.\d+)*)\.?\s/.exec(text)?.[1];
  if (number !== undefined) return sectionId(number);
  const words = text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s-]/gu, '')
    .trim()
    .replaceAll(/\s+/g, '-');
  return /^\d/.test(words) ? `s${words}` : words;
}

/** Returns the id of a numbered section. */
export function sectionId(number: string): string {
  return `s${number.replaceAll('.', '-')}`;
}

const isHeading = (token: Token): token is Tokens.Heading => token.type === 'heading';

function plain({ tokens = [] }: { readonly tokens?: readonly Token[] | undefined }): string {
  return tokens
    .map((token) => {
      const { tokens: inner, text } = token as { readonly tokens?: readonly Token[]; readonly text?: unknown };
      return inner === undefined ? unescaped(typeof text === 'string' ? text : token.raw) : plain({ tokens: inner });
    })
    .join('');
}

function Blocks({ tokens, place }: { readonly tokens: readonly Token[]; readonly place: MarkdownPlace }) {
  return tokens.map((token, at) => <Block key={at} token={token} place={place} />);
}

function Block({ token, place }: { readonly token: Token; readonly place: MarkdownPlace }): ReactNode {
  if (isHeading(token)) return <HeadingOf token={token} place={place} />;
  switch (token.type) {
    case 'paragraph':
      return <p>{inline(token.tokens ?? [], place)}</p>;
    case 'text':
      return <>{token.tokens === undefined ? unescaped(token.raw) : inline(token.tokens, place)}</>;
    case 'code':
      return <pre className="code">{String(token['text'])}</pre>;
    case 'blockquote':
      return (
        <blockquote>
          <Blocks tokens={token.tokens ?? []} place={place} />
        </blockquote>
      );
    case 'hr':
      return <hr />;
    case 'space':
    case 'def':
      return null;
    default:
      if (isList(token)) return <ListOf token={token} place={place} />;
      if (isTable(token)) return <TableOf token={token} place={place} />;
      return <p>{token.raw}</p>;
  }
}

const isList = (token: Token): token is Tokens.List => token.type === 'list';
const isTable = (token: Token): token is Tokens.Table => token.type === 'table';

function HeadingOf({ token, place }: { readonly token: Tokens.Heading; readonly place: MarkdownPlace }) {
  const level = Math.min(6, token.depth + (place.deeper ?? 0));
  const Element = (['h1', 'h2', 'h3', 'h4', 'h5', 'h6'] as const)[level - 1] ?? 'h6';
  const id = `${place.prefix ?? ''}${headingId(token.text)}`;
  return <Element id={id}>{inline(token.tokens, place)}</Element>;
}

function ListOf({ token, place }: { readonly token: Tokens.List; readonly place: MarkdownPlace }) {
  const items = token.items.map((item, at) => (
    <li key={at}>
      <Blocks tokens={item.tokens} place={place} />
    </li>
  ));
  if (!token.ordered) return <ul>{items}</ul>;
  return <ol {...(token.start === '' || token.start === 1 ? {} : { start: token.start })}>{items}</ol>;
}

function TableOf({ token, place }: { readonly token: Tokens.Table; readonly place: MarkdownPlace }) {
  const label = token.header.map((cell) => plain(cell)).join(', ');
  return (
    <div className="scroll" role="group" aria-label={label} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {token.header.map((cell, at) =>
              plain(cell) === '' ? (
                <td key={at} />
              ) : (
                <th key={at} scope="col">
                  {inline(cell.tokens, place)}
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody>
          {token.rows.map((row, at) => (
            <tr key={at}>
              {row.map((cell, column) => (
                <td key={column}>{inline(cell.tokens, place)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function inline(tokens: readonly Token[], place: MarkdownPlace): ReactNode {
  return tokens.map((token, at) => <Fragment key={at}>{inlineOf(token, place)}</Fragment>);
}

function inlineOf(token: Token, place: MarkdownPlace): ReactNode {
  const inner = () => inline(('tokens' in token ? token.tokens : undefined) ?? [], place);
  switch (token.type) {
    case 'strong':
      return <strong>{inner()}</strong>;
    case 'em':
      return <em>{inner()}</em>;
    case 'del':
      return <del>{inner()}</del>;
    case 'br':
      return <br />;
    case 'codespan':
      return <Code text={unescaped(String(token['text']))} place={place} />;
    case 'link': {
      const href = place.linkOf === undefined ? undefined : place.linkOf(String(token['href']));
      return href === undefined ? inner() : <a href={href}>{inner()}</a>;
    }
    case 'text':
      return 'tokens' in token ? inner() : unescaped(String(token['text']));
    case 'escape':
      return unescaped(String(token['text']));
    default:
      return token.raw;
  }
}

/** Code that names a page of the guides leads there. */
function Code({ text, place }: { readonly text: string; readonly place: MarkdownPlace }) {
  const href = /^[\w./-]+\.md( §[\d.]+)?$/.test(text) ? place.linkOf?.(text) : undefined;
  const code = <code>{text}</code>;
  return href === undefined ? code : <a href={href}>{code}</a>;
}

/** The lexer writes some characters as entities in some tokens; the markup is made from plain text. */
function unescaped(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
}
