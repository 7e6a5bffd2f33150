import { isRecord } from '../shared/kernel/is-record.js';
import type { Completion } from './vocabulary.js';
import type { ToolOutcome } from './call-tool.js';

export type RunTool = (name: string, given: object) => Promise<ToolOutcome> | undefined;

export interface Completed {
  readonly [key: string]: unknown;
  readonly values: string[];
  readonly hasMore: boolean;
}

/** The most values that the protocol permits. */
const maxValues = 100;

/** Completes a value with existing ones; none where they cannot be listed. @param known arguments that were entered before */
export async function complete(
  run: RunTool,
  { tool, values: path, search, with: passed }: Completion,
  typed: string,
  known: Readonly<Record<string, string>>,
): Promise<Completed> {
  const searched = search != null && /[\p{L}\p{N}]/u.test(typed) ? { [search]: typed } : {};
  const given = Object.fromEntries(
    (passed ?? []).flatMap((name) => (known[name] === undefined ? [] : [[name, known[name]]])),
  );
  const outcome = await run(tool, { ...given, ...searched });
  if (outcome === undefined || 'refusal' in outcome) return { values: [], hasMore: false };
  const found = textsAt(outcome.value, path.split('.'));
  // A search also finds what a name or another code contains.
  const fitting = search == null ? found.filter((text) => text.toLowerCase().startsWith(typed.toLowerCase())) : found;
  const distinct = [...new Set(fitting)];
  const more = distinct.length > maxValues || typeof outcome.value['nextCursor'] === 'string';
  return { values: distinct.slice(0, maxValues), hasMore: more };
}

/** Completes the last item of a list with commas that a person is typing; values are the whole list, without items that it already has. */
export async function completeLast(
  run: RunTool,
  completion: Completion,
  typed: string,
  known: Readonly<Record<string, string>>,
): Promise<Completed> {
  const items = typed.split(',').map((item) => item.trim());
  const entered = items.slice(0, -1).filter((item) => item !== '');
  const { values, hasMore } = await complete(run, completion, items.at(-1) ?? '', known);
  const others = values.filter((value) => !entered.some((item) => item.toLowerCase() === value.toLowerCase()));
  return { values: others.map((value) => [...entered, value].join(', ')), hasMore };
}

function textsAt(value: unknown, [key, ...rest]: readonly string[]): string[] {
  if (Array.isArray(value)) return value.flatMap((one) => textsAt(one, key === undefined ? [] : [key, ...rest]));
  if (key === undefined) return typeof value === 'string' ? [value] : [];
  return isRecord(value) ? textsAt(value[key], rest) : [];
}
