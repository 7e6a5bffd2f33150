import { marked, Renderer, type Token, type Tokens } from 'marked';
import { xmlText } from '../files/xml-text.js';

export interface Heading {
  readonly id: string;
  readonly text: string;
  readonly level: number;
}

/** The address of a link of Markdown, and the text that is shown in place of the name of a file. */
export interface Link {
  readonly href: string;
  readonly title?: string | undefined;
}

/** Returns the HTML of a text. HTML in it is shown as text. @param linkOf returns undefined for what has no page: only the text of the link stays */
export function htmlOfMarkdown(text: string, linkOf: (href: string) => Link | undefined): string {
  return marked.parse(text, { async: false, renderer: new PageRenderer(linkOf) });
}

class PageRenderer extends Renderer {
  constructor(private readonly linkOf: (href: string) => Link | undefined) {
    super();
  }

  override html({ text }: Tokens.HTML | Tokens.Tag): string {
    return xmlText(text);
  }

  override heading({ tokens, depth, text }: Tokens.Heading): string {
    return `<h${depth} id="${headingId(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
  }

  override code({ text }: Tokens.Code): string {
    return `<pre class="code">${xmlText(text)}</pre>\n`;
  }

  override link({ href, tokens }: Tokens.Link): string {
    const text = this.parser.parseInline(tokens);
    const link = this.linkOf(href);
    if (link === undefined) return text;
    return `<a href="${xmlText(link.href)}">${/^[\w-]+\.md$/.test(text) ? xmlText(link.title ?? text) : text}</a>`;
  }

  override table(token: Tokens.Table): string {
    const label = xmlText(token.header.map((cell) => cell.text.replaceAll('`', '')).join(', '));
    return `<div class="scroll" role="group" aria-label="${label}" tabindex="0">${super.table(token)}</div>\n`;
  }

  override tablecell({ header, tokens }: Tokens.TableCell): string {
    const html = this.parser.parseInline(tokens);
    return header && html !== '' ? `<th scope="col">${html}</th>\n` : `<td>${html}</td>\n`;
  }
}

export function headingsOf(text: string): readonly Heading[] {
  return marked
    .lexer(text)
    .filter(isHeading)
    .map(({ text: words, depth }) => ({ id: headingId(words), text: words.replaceAll('`', ''), level: depth }));
}

const isHeading = (token: Token): token is Tokens.Heading => token.type === 'heading';

/** Returns the id of a heading: its number, as `s9-2`, or its words. */
function headingId(text: string): string {
  const number = /^(\d+(?:\.\d+)*)\.?\s/.exec(text)?.[1];
  if (number !== undefined) return `s${number.replaceAll('.', '-')}`;
  const words = text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s-]/gu, '')
    .trim()
    .replaceAll(/\s+/g, '-');
  return /^\d/.test(words) ? `s${words}` : words;
}
