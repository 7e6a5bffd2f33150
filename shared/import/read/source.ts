import type { ImportDomain, ErrorList } from '../domain.js';
import type { Kind } from '../model/kind.js';
import type { Values } from '../model/value.js';
import type { ImportDay } from '../model/rules.js';

export interface Place {
  readonly file: number;
  readonly line: number;
  /** Path of the record's object in a JSON file, empty in a CSV file. */
  readonly path: string;
}

export interface InputRecord {
  readonly place: Place;
  readonly owner: readonly string[];
  readonly values: Values;
  readonly position: number;
}

export interface Intake {
  readonly domains: readonly ImportDomain[];
  readonly errors: ErrorList;
  readonly day: ImportDay;
  /** Accepts a record; returns a promise when reading has to wait. */
  add(kind: Kind, record: InputRecord): Promise<void> | undefined;
  /** Notes that the input contains a faulty record of this name: references to it are not further errors. */
  noteFaulty(kind: Kind, owner: string, name: string): void;
  /** Notes the owner of a line with errors, so that a missing owner is reported all the same. */
  mention(kind: Kind, place: Place, owner: string): void;
  /** Notes that the input states the complete list of this kind for an owner. */
  stateList(kind: Kind, owner: string): void;
}

export function pathOf({ path }: Pick<Place, 'path'>, field: string): string {
  return path === '' || field === '' ? path + field : `${path}.${field}`;
}
