import type { ImportDomain } from '../domain.js';
import type { Kind } from '../model/kind.js';
import type { Values } from '../model/value.js';
import type { ImportDay } from '../model/rules.js';
import type { ErrorList } from '../report.js';

/** Where in the input a record stands. */
export interface Place {
  /** Index of the file. */
  readonly file: number;
  readonly line: number;
  /** Path of the record's object in a JSON file, empty in a CSV file. */
  readonly path: string;
}

/** A record whose own fields are right. */
export interface InputRecord {
  readonly place: Place;
  /** Values of the kind's owner columns. */
  readonly owner: readonly string[];
  readonly values: Values;
  /** Place in its list. */
  readonly position: number;
}

/** What readers hand their findings to. */
export interface Intake {
  /** What can be read. */
  readonly domains: readonly ImportDomain[];
  readonly faults: ErrorList;
  readonly day: ImportDay;
  /** Takes a record; a promise comes back when reading has to wait. */
  add(kind: Kind, record: InputRecord): Promise<void> | undefined;
  /** The input holds a record of this name, though with errors: references to it are not errors of their own. */
  noteFaulty(kind: Kind, owner: string, name: string): void;
  /** A line with errors belongs to this owner: whether there is one is looked up all the same. */
  mention(kind: Kind, place: Place, owner: string): void;
  /** The input states the whole list of this kind for an owner. */
  stateList(kind: Kind, owner: string): void;
}

/** The path of a field inside a record. */
export function pathOf({ path }: Pick<Place, 'path'>, field: string): string {
  return path === '' || field === '' ? path + field : `${path}.${field}`;
}
