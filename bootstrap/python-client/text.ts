/** The keywords of Python that names of the document could be; a name gets an underscore at its end, as is the custom. */
const keywords = new Set(
  (
    'and as assert async await break class continue def del elif else except finally for from global if import in is ' +
    'lambda nonlocal not or pass raise return try while with yield'
  ).split(' '),
);
const width = 120;

/** Returns the first line of every generated module, and what it imports. */
export function heading(description: string, imports: readonly string[]): string {
  const purpose = `"""${description}\n\nGenerated from \`rest/openapi.json\` by \`npm run generate\`.\n"""\n\n`;
  return `${purpose}from __future__ import annotations\n\n${imports.join('\n')}\n`;
}

/** Returns the Python name of a property or parameter: `X-Profile-Id` and `profileId` become `profile_id`, `from` becomes `from_`. */
export function snake(name: string): string {
  const words = name
    .replace(/^X-/, '')
    .replace(/-/g, '_')
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .toLowerCase();
  return keywords.has(words) ? `${words}_` : words;
}

/** Returns the name of a class: `credit_batch.processed` becomes `CreditBatchProcessed`. */
export function pascal(name: string): string {
  return name.replace(/(?:^|[._-])([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** Returns a string literal. */
export function literal(text: string): string {
  return JSON.stringify(text);
}

/** Returns a tuple of string literals. */
export function tuple(texts: readonly string[]): string {
  const items = texts.map(literal);
  return items.length === 1 ? `(${items.join('')},)` : `(${items.join(', ')})`;
}

/** Returns a docstring with its line feed. Lines are wrapped, except those of tables and code. */
export function docstring(paragraphs: readonly string[], indent: string): string {
  const body = paragraphs
    .filter((one) => one !== '')
    .join('\n\n')
    .trim();
  const prefix = body.includes('\\') ? 'r' : '';
  const lines = body.split('\n').flatMap((line) => wrapped(line, width - indent.length - 4));
  const text = lines.map((line, index) => (index === 0 || line === '' ? line : indent + line)).join('\n');
  const end = lines.length > 1 ? `\n${indent}` : text.endsWith('"') ? ' ' : '';
  return `${indent}${prefix}"""${text}${end}"""\n`;
}

/** Returns the description of an argument in the section `Args` of a docstring. */
export function argument(name: string, description: string): string {
  const text = description.replace(/\s+/g, ' ').trim();
  return wrapped(`    ${name}: ${text}`, width - 12)
    .join('\n        ')
    .trimEnd();
}

function wrapped(line: string, size: number): string[] {
  if (line.length <= size || line.startsWith('|')) return [line];
  const start = /^ */.exec(line)?.[0] ?? '';
  const lines: string[] = [];
  let current = start;
  for (const word of line.trim().split(' ')) {
    if (current.trim() !== '' && current.length + word.length + 1 > size) {
      lines.push(current);
      current = lines.length > 0 ? word : start + word;
    } else {
      current += current.trim() === '' ? word : ` ${word}`;
    }
  }
  return [...lines, current];
}
