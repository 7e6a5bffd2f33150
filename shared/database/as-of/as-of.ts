import {
  getNamedType,
  isAbstractType,
  isListType,
  isNonNullType,
  isObjectType,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLFieldResolver,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
} from 'graphql';
import { Extensions } from 'type-graphql';
import type { DataSource } from 'typeorm';
import { LRUCache } from 'lru-cache';
import { DateTimeScalar } from '../../graphql/scalars.js';
import type { Context } from '../../kernel/context.js';
import { refuse } from '../../kernel/errors.js';
import { Manager } from '../manager.js';

const argumentText =
  'Returns the published data as it was recorded at this moment, with days and statuses computed as of that moment. Data that is not public now or was voided is left out. Nested fields inherit the moment, except those that another subgraph adds. Omitted: the current state. Each field of the document with this argument costs 100 points more. Errors: 400 for a moment in the future, and for more than 4 different moments in one request';

/** Gives a field the argument `asOf`: its resolver and those below see database and clock as of that moment, without any change. */
export function AsOf(): MethodDecorator {
  return Extensions({ asOf: true });
}

export function addAsOfArguments(schema: GraphQLSchema): void {
  for (const { field } of fieldsOf(schema)) if (takesAsOf(field)) field.args = [...field.args, argument()];
}

function argument(): GraphQLArgument {
  return {
    name: 'asOf',
    description: argumentText,
    type: DateTimeScalar,
    defaultValue: undefined,
    deprecationReason: undefined,
    extensions: {},
    astNode: undefined,
  };
}

function takesAsOf({ extensions }: Pick<GraphQLField<unknown, Context>, 'extensions'>): boolean {
  return extensions['asOf'] === true;
}

/** Wraps resolvers to read as of their argument's moment, or their parent's, in place. @param plain the schema whose fields carry the declarations */
export function letReadAsOf(plain: GraphQLSchema, schema: GraphQLSchema): void {
  const declared = new Set(
    [...fieldsOf(plain)].flatMap(({ type, field }) => (takesAsOf(field) ? [`${type.name}.${field.name}`] : [])),
  );
  if (declared.size === 0) return;
  const roots = new Set<unknown>([schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()]);
  const resolved = [...fieldsOf(schema)].filter(({ field }) => field.resolve !== undefined);
  const stampers = new Map(resolved.map(({ field }) => [field, stamperOf(field.type, new Map())] as const));
  for (const { type, field } of resolved) {
    const takes = declared.has(`${type.name}.${field.name}`);
    if (field.resolve === undefined || (roots.has(type) && !takes)) continue;
    field.resolve = atItsMoment(field.resolve, takes, stampers.get(field));
  }
}

type Stamper = (value: unknown, stamp: (found: object) => void) => void;

/** The objects that a request found in contexts of past moments, each with that context. */
const pastObjects = new WeakMap<Context, WeakMap<object, Context>>();

function atItsMoment(
  resolve: GraphQLFieldResolver<unknown, Context>,
  takes: boolean,
  stampAll: Stamper | undefined,
): GraphQLFieldResolver<unknown, Context> {
  return (source, args: Readonly<Record<string, unknown>>, context, info) => {
    const asOf = takes ? args['asOf'] : undefined;
    // The scalar has converted it to the text of an instant.
    const past = typeof asOf === 'string' ? contextAt(context, new Date(asOf)) : contextOf(source, context);
    if (past === undefined) return resolve(source, args, context, info);
    const found: unknown = resolve(source, args, past, info);
    if (stampAll === undefined) return found;
    const objects = pastObjects.get(context) ?? new WeakMap<object, Context>();
    pastObjects.set(context, objects);
    const stamped = (value: unknown) => {
      stampAll(value, (object) => objects.set(object, past));
      return value;
    };
    return found instanceof Promise ? found.then(stamped) : stamped(found);
  };
}

/** Returns the past context in which the request found an object; undefined if it was found in the present. */
function contextOf(source: unknown, context: Context): Context | undefined {
  const objects = pastObjects.get(context);
  return objects !== undefined && typeof source === 'object' && source !== null ? objects.get(source) : undefined;
}

/** Returns how to stamp the objects within a value of a type; undefined if none of their fields has a resolver. */
function stamperOf(output: GraphQLOutputType, known: Map<string, Stamper | undefined>): Stamper | undefined {
  const type = getNamedType(output);
  if (isAbstractType(type) || !isObjectType(type)) return undefined;
  const ofObject = known.has(type.name) ? known.get(type.name) : stamperOfObject(type, known);
  if (ofObject === undefined) return undefined;
  const isList = isListType(isNonNullType(output) ? output.ofType : output);
  if (!isList) return ofObject;
  return (values, stamp) => {
    if (Array.isArray(values)) for (const value of values) ofObject(value, stamp);
  };
}

function stamperOfObject(type: GraphQLObjectType, known: Map<string, Stamper | undefined>): Stamper | undefined {
  const inner: [name: string, stampInner: Stamper][] = [];
  const stampObject: Stamper = (value, stamp) => {
    if (typeof value !== 'object' || value === null) return;
    stamp(value);
    for (const [name, stampInner] of inner) if (name in value) stampInner(Reflect.get(value, name), stamp);
  };
  known.set(type.name, stampObject);
  const fields = Object.values(type.getFields());
  for (const field of fields) {
    // Results of a resolver are stamped by its own wrapper.
    const stampInner = field.resolve === undefined ? stamperOf(field.type, known) : undefined;
    if (stampInner !== undefined) inner.push([field.name, stampInner]);
  }
  if (inner.length > 0 || fields.some(({ resolve }) => resolve !== undefined)) return stampObject;
  known.set(type.name, undefined);
  return undefined;
}

function* fieldsOf(schema: GraphQLSchema): Generator<{
  readonly type: GraphQLObjectType;
  readonly field: GraphQLField<unknown, Context>;
}> {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith('__')) continue;
    const fields: Readonly<Record<string, GraphQLField<unknown, Context>>> = type.getFields();
    for (const field of Object.values(fields)) yield { type, field };
  }
}

type Rewriter = ReturnType<typeof createRewriter>;

const rewriters = new WeakMap<DataSource, Promise<Rewriter>>();

/** Reads versioned tables as of a moment through the usual stores; rejects all but reads. Within a transaction it uses its connection. */
function managerAt(manager: Manager, moment: Date): Manager {
  const { dataSource } = manager;
  // The runner holds no connection: its `query` is replaced below, and nothing else of it is used.
  const runner = dataSource.createQueryRunner();
  const query = async (sql: string, parameters: unknown[] = [], structured = false): Promise<unknown> => {
    const rewritten = (await rewriterOf(manager))({ sql, parameters }, moment);
    const result = await manager.statement(rewritten.sql, rewritten.parameters);
    return structured ? result : result.records;
  };
  const refuse = () => Promise.reject(new Error('A past state is read-only and has no transactions'));
  Object.assign(runner, { query, startTransaction: refuse, stream: refuse });
  return new Manager(dataSource, runner);
}

/** Returns the rewriter of a database, made once; a failure is not remembered. */
function rewriterOf(manager: Manager): Promise<Rewriter> {
  const { dataSource } = manager;
  const known = rewriters.get(dataSource);
  if (known !== undefined) return known;
  const made = readTables(manager).then(createRewriter);
  rewriters.set(dataSource, made);
  made.catch(() => rewriters.delete(dataSource));
  return made;
}

/** Reads the tables `t` with a function `t(timestamptz)` that returns their rows, or `t_as_of(timestamptz)`, which takes precedence. */
async function readTables(manager: Manager): Promise<TablesAsOf> {
  const rows = await manager.rows<{ name: string; reader: string }>(
    `SELECT n.nspname || '.' || c.relname AS name, n.nspname || '.' || p.proname AS reader
     FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
     JOIN pg_class c ON c.reltype = p.prorettype AND c.relnamespace = n.oid
     WHERE p.proretset AND p.pronargs = 1 AND p.proargtypes[0] = 'timestamptz'::regtype
       AND p.proname IN (c.relname, c.relname || '_as_of')
     ORDER BY p.proname`,
  );
  return new Map(rows.map(({ name, reader }) => [name, reader]));
}

/** The most moments in one request: nothing read for one of them can be reused for another. */
const mostMoments = 4;

/** Earlier moments are read as this one: nothing was recorded before, and computed days need holidays, which are known from 2000 on. */
const earliest = new Date('2001-01-01T00:00:00Z');

const made = new WeakMap<Context, Map<number, Context>>();

/** Database and clock as of a moment, not before `earliest`; the same one per request and moment. @throws {ApiError} BAD_REQUEST for the future or a fifth moment */
function contextAt(context: Context, wanted: Date): Context {
  const moment = wanted < earliest ? earliest : wanted;
  const ofRequest = made.get(context) ?? new Map<number, Context>();
  made.set(context, ofRequest);
  const known = ofRequest.get(moment.getTime());
  if (known !== undefined) return known;
  if (moment > context.clock.now()) {
    refuse('BAD_REQUEST', [{ path: 'asOf', message: 'must not be in the future: omit it for the current state' }]);
  }
  if (ofRequest.size >= mostMoments) {
    const message = `is one of more than ${String(mostMoments)} different moments in this request: send the others in separate requests`;
    refuse('BAD_REQUEST', [{ path: 'asOf', message }]);
  }
  const at: Context = {
    ...context,
    asOf: moment,
    present: context,
    clock: { now: () => new Date(moment) },
    manager: managerAt(context.manager, moment),
    loaders: new Map(),
  };
  ofRequest.set(moment.getTime(), at);
  return at;
}

export interface Statement {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

/** The function that reads a table as of a moment, by the table's name: `issuances.series` by `issuances.series`. */
type TablesAsOf = ReadonlyMap<string, string>;

// A table with its schema, each quoted or not; neither a column of a table (`a.b.c`), nor a call, nor a part of another name.
const qualified = /(?<![\w".$'])(?:"(\w+)"|([a-z_]\w*))\.(?:"(\w+)"|([a-z_]\w*))(?!["\w.]|\s*\()/gi;

const begins = /^[\s(]*(SELECT|WITH)\b/i;
const writes = /\b(INSERT|UPDATE|DELETE|MERGE|INTO|FOR\s+(KEY\s+)?SHARE)\b/i;

/** Whether a statement only reads, without locking rows. */
export function isRead(sql: string): boolean {
  return begins.test(sql) && !writes.test(sql);
}

/** Rewrites statements to read versioned tables as of a moment, which becomes an additional parameter; others are read as they are now. */
export function createRewriter(tables: TablesAsOf): (statement: Statement, moment: Date) => Statement {
  const texts = new LRUCache<string, string>({ max: 500 });
  return ({ sql, parameters }, moment) => {
    const key = `${String(parameters.length)} ${sql}`;
    const text = texts.get(key) ?? rewritten(sql, tables, parameters.length + 1);
    texts.set(key, text);
    return text === sql ? { sql, parameters } : { sql: text, parameters: [...parameters, moment] };
  };
}

function rewritten(sql: string, tables: TablesAsOf, parameter: number): string {
  if (!isRead(sql)) throw new Error(`A past state is read-only, and this statement is not a read: ${sql.slice(0, 60)}`);
  return sql.replace(qualified, (found, ...names: (string | undefined)[]) => {
    const [quotedSchema, schema = quotedSchema, quotedTable, table = quotedTable] = names;
    const reader = tables.get(`${schema ?? ''}.${table ?? ''}`);
    if (reader === undefined) return found;
    return `${reader}($${String(parameter)}::timestamptz)`;
  });
}
