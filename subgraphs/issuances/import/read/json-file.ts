import { readFile, stat } from 'node:fs/promises';
import { isUtf8 } from 'node:buffer';
import { childrenOf } from '../model/kinds.js';
import { readRecord, type Field, type Kind, type Parent, type Values } from '../model/kind.js';
import { contracts } from '../model/credits.js';
import { operations, series } from '../model/operations.js';
import { parseJson, printPath, type JsonDocument } from './json-document.js';
import { schemaFaults, type SchemaFault } from './json-schema.js';
import type { Intake } from './source.js';

type Path = readonly (string | number)[];

/** A JSON file is held in memory whole with the place of each of its parts; more than this belongs into CSV files, or several. */
export const maxJsonBytes = 8 * 1024 * 1024;

/** Reads one JSON file into the intake: every fault of every operation is told. */
export async function readJsonFile(path: string, file: number, intake: Intake): Promise<void> {
  const whole = (line: number, message: string) => {
    intake.faults.add(file, line, '', message);
  };
  if ((await stat(path)).size > maxJsonBytes) {
    whole(0, 'is larger than 8 MiB: bring contracts, prices and payments as CSV, or the operations in several files');
    return;
  }
  const bytes = await readFile(path);
  if (!isUtf8(bytes)) {
    whole(0, 'is not UTF-8, as JSON has to be');
    return;
  }
  const document = parseJson(bytes.toString('utf8').replace(/^\ufeff/, ''));
  if ('message' in document) {
    whole(document.line, document.message);
    return;
  }
  for (const { line, path: at, message } of document.repeated) intake.faults.add(file, line, printPath(at), message);
  for (const at of operationPaths(document.value)) await readOperation(document, at, file, intake);
}

/** Where the operations of a file are: it is one, or a list of them, or an object with such a list. */
function operationPaths(value: unknown): Path[] {
  if (Array.isArray(value)) return value.map((_, at) => [at]);
  const list = at(value, ['operations']);
  return Array.isArray(list) ? list.map((_, index) => ['operations', index]) : [[]];
}

/** What a path leads to; undefined when it leads nowhere. */
function at(value: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (inside, step) =>
      typeof inside === 'object' && inside !== null
        ? (inside as Readonly<Record<string | number, unknown>>)[step]
        : undefined,
    value,
  );
}

async function readOperation(document: JsonDocument, path: Path, file: number, intake: Intake): Promise<void> {
  const found = schemaFaults(at(document.value, path)).map((fault) => ({ ...fault, path: [...path, ...fault.path] }));
  const visit: Visit = { document, file, intake, shape: new Set(), content: new Map() };
  for (const fault of found) {
    if (fault.aboutContent) visit.content.set(printPath(fault.path), fault);
    else {
      visit.shape.add(printPath(fault.path));
      tell(visit, fault.path, fault.message);
    }
  }
  await readObject(visit, { kind: operations, path, position: 0, owner: [], operationTicker: '' });
  for (const fault of visit.content.values()) tell(visit, fault.path, fault.message);
}

interface Visit {
  readonly document: JsonDocument;
  readonly file: number;
  readonly intake: Intake;
  /** Paths whose value has not even the right type. */
  readonly shape: Set<string>;
  /** What the schema has against contents, by path, until a reader has put it better. */
  readonly content: Map<string, SchemaFault>;
}

function tell({ document, file, intake, content }: Visit, path: Path, message: string): void {
  content.delete(printPath(path));
  intake.faults.add(file, document.lineOf(path), printPath(path), message);
}

interface Place {
  readonly kind: Kind;
  readonly path: Path;
  readonly position: number;
  /** Undefined where the record around it has no name: then it is looked at, but goes no further. */
  readonly owner: readonly string[] | undefined;
  readonly operationTicker: string;
}

/** Reads the record that an object is, then the lists that it holds. */
async function readObject(visit: Visit, place: Place): Promise<void> {
  const { document, file, intake, shape } = visit;
  const { kind, path, owner, position } = place;
  const object = at(document.exact, path);
  if (typeof object !== 'object' || object === null || Array.isArray(object)) return;
  const misshapen = (field: Field) => shape.size > 0 && shape.has(printPath([...path, ...field.name.split('.')]));
  const { values, faults } = readRecord(
    kind,
    (field) => (misshapen(field) ? null : textOf(at(object, field.name.split('.')))),
    intake.today,
  );
  const own = faults.filter(({ field }) => !shape.has(printPath([...path, ...field.split('.')])));
  for (const { field, fault } of own) tell(visit, [...path, ...field.split('.')], fault);
  if (owner !== undefined && faults.length === 0 && !kind.fields.some(misshapen)) {
    await intake.add(kind, {
      place: { file, line: document.lineOf(path), path: printPath(path) },
      owner,
      values,
      position,
    });
  } else noteFaulty(visit, place, object);
  await readLists(visit, kind === operations ? { ...place, operationTicker: values['ticker'] ?? '' } : place, values);
}

async function readLists(
  visit: Visit,
  { kind, path, operationTicker }: Place,
  values: Readonly<Values>,
): Promise<void> {
  for (const child of childrenOf(kind)) {
    const list = at(visit.document.exact, [...path, child.list]);
    if (!Array.isArray(list)) continue;
    if (child.replaces) visit.intake.stateList(child, operationTicker);
    const owner = ownerOf(child, operationTicker, values);
    for (const position of list.keys()) {
      await readObject(visit, { kind: child, path: [...path, child.list, position], position, owner, operationTicker });
    }
  }
}

/** How the records of a list name what they belong to: the operation, or the record around them. */
function ownerOf({ parent }: Kind, operationTicker: string, values: Readonly<Values>): readonly string[] | undefined {
  const names: Readonly<Record<Parent, readonly (string | null | undefined)[]>> = {
    none: [],
    operation: [operationTicker],
    series: [values['ticker']],
    contract: [operationTicker, values['externalId']],
    onchainContract: [values['chainId'], values['address']],
  };
  const owner = names[parent].map((name) => name ?? '');
  return owner.includes('') ? undefined : owner;
}

/** Records that other files may refer to. */
function noteFaulty({ intake }: Visit, { kind, operationTicker }: Place, object: object): void {
  const name = (field: string) => (textOf(at(object, [field])) ?? '').replaceAll('\u0000', '');
  if (kind === contracts) intake.noteFaulty(kind, operationTicker, name('externalId'));
  else if (kind === operations || kind === series) intake.noteFaulty(kind, '', name('ticker'));
}

/** The text of an exact value, as a CSV cell would hold it; a list becomes a PostgreSQL array. */
function textOf(value: unknown): string | null {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return String(value);
  if (!Array.isArray(value)) return null;
  return `{${value.map((item) => `"${String(item).replace(/["\\]/g, '\\$&')}"`).join(',')}}`;
}
