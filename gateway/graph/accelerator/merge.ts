import { isRecord } from '../../../shared/kernel/is-record.js';

export type Data = Record<string, unknown>;

/** Returns an own property of an object: callers may give a field the name of a property that every object inherits. */
export function own(data: Data, name: string): unknown {
  return Object.hasOwn(data, name) ? data[name] : undefined;
}

/** Whether no object inherits a property of this name, so that `own` is unnecessary. Checked when a plan is compiled. */
export function isPlain(name: string): boolean {
  return !(name in Object.prototype);
}

/** Sets an own property of an object, whatever its name. */
export function put(data: Data, name: string, value: unknown): void {
  if (name !== '__proto__') data[name] = value;
  else Object.defineProperty(data, name, { value, configurable: true, enumerable: true, writable: true });
}

/** Merges `source` into `target`, object by object and, in lists of equal length, item by item. */
export function merge(target: Data, source: Data): void {
  for (const name of Object.keys(source)) {
    const value = source[name];
    if (value === undefined) continue;
    const known = target[name];
    const held = known === undefined || Object.hasOwn(target, name) ? known : undefined;
    if (isRecord(held) && isRecord(value)) merge(held, value);
    else if (Array.isArray(held) && Array.isArray(value) && held.length === value.length) mergeItems(held, value);
    else put(target, name, value);
  }
}

function mergeItems(target: unknown[], source: readonly unknown[]): void {
  for (const [at, value] of source.entries()) {
    const held = target[at];
    if (isRecord(held) && isRecord(value)) merge(held, value);
    else target[at] = value;
  }
}

/** Returns a deep copy of an object, for a second place in the response. */
export function copied(data: Data): Data {
  const copy: Data = {};
  for (const name of Object.keys(data)) put(copy, name, copiedValue(data[name]));
  return copy;
}

function copiedValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copiedValue);
  return isRecord(value) ? copied(value) : value;
}
