import { parse, type DocumentNode, type MemberNode, type NumberNode } from '@humanwhocodes/momoa';
import { Decimal } from '../../kernel/decimal.js';
import { messageOf } from '../../kernel/thrown.js';
import { broken, type BrokenImportRule } from '../import-rules.js';

type Node = DocumentNode['body'];

export interface JsonDocument {
  /** With JavaScript numbers: for schema validation only. */
  readonly value: unknown;
  /** With every number as its source text, without loss of digits. */
  readonly exact: unknown;
  /** Names that occur twice in an object: one of their values would be lost. */
  readonly repeated: readonly JsonError[];
  lineOf(path: readonly (string | number)[]): number;
}

export interface JsonError {
  readonly line: number;
  readonly path: readonly (string | number)[];
  readonly error: BrokenImportRule;
}

export function parseJson(source: string): JsonDocument | JsonError {
  const root = parsed(source);
  if ('error' in root) return root;
  const repeated: JsonError[] = [];
  findRepeated(root, [], repeated);
  return {
    repeated,
    value: valueOf(root, ({ value }) => value),
    exact: valueOf(root, ({ range }) => exactNumber(source.slice(...(range ?? [0, 0])))),
    lineOf: (path) => lineOf(root, path),
  };
}

function parsed(source: string): Node | JsonError {
  try {
    return parse(source, { ranges: true }).body;
  } catch (error) {
    if (error instanceof RangeError) return { line: 1, path: [], error: broken('JSON_DEPTH') };
    const line = error instanceof Error && 'line' in error ? Number(error.line) : 1;
    return { line, path: [], error: broken('JSON_FORM', { detail: messageOf(error) }) };
  }
}

function valueOf(node: Node, number: (node: NumberNode) => unknown): unknown {
  if (node.type === 'Object') {
    return Object.fromEntries(node.members.map((member) => [nameOf(member), valueOf(member.value, number)]));
  }
  if (node.type === 'Array') return node.elements.map((element) => valueOf(element.value, number));
  if (node.type === 'Number') return number(node);
  return node.type === 'String' || node.type === 'Boolean' ? node.value : null;
}

function nameOf({ name }: MemberNode): string {
  return name.type === 'String' ? name.value : name.name;
}

/** Returns a number's text without exponent. Extreme exponents are left unchanged and later rejected as not a number. */
function exactNumber(text: string): string {
  const exponent = /e([+-]?\d+)$/i.exec(text)?.[1];
  return exponent === undefined || Math.abs(Number(exponent)) > 30 ? text : new Decimal(text).toFixed();
}

type Path = readonly (string | number)[];

function findRepeated(node: Node, path: Path, found: JsonError[]): void {
  if (node.type === 'Array') {
    for (const [at, element] of node.elements.entries()) findRepeated(element.value, [...path, at], found);
  }
  if (node.type !== 'Object') return;
  const names = new Set<string>();
  for (const member of node.members) {
    const name = nameOf(member);
    const own = [...path, name];
    if (names.has(name)) found.push({ line: member.loc.start.line, path: own, error: broken('JSON_TWICE') });
    names.add(name);
    findRepeated(member.value, own, found);
  }
}

function lineOf(root: Node, path: Path): number {
  let node = root;
  let line = root.loc.start.line;
  for (const step of path) {
    if (node.type === 'Array' && typeof step === 'number') {
      const element = node.elements[step];
      if (element === undefined) return line;
      node = element.value;
    } else if (node.type === 'Object') {
      const member = node.members.findLast((one) => nameOf(one) === step);
      if (member === undefined) return line;
      line = member.loc.start.line;
      node = member.value;
      continue;
    } else return line;
    line = node.loc.start.line;
  }
  return line;
}

/** Formats `['series', 0, 'rate']` as `series[0].rate`. */
export function printPath(path: Path): string {
  return path
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`))
    .join('')
    .replace(/^\./, '');
}
