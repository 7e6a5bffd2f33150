import { EntityManager, type QueryResult, type QueryRunner } from 'typeorm';
import { type Span, spanOf } from '../kernel/tracing/span.js';

type Parameters = readonly unknown[];

/** TypeORM's manager with methods for written SQL, the only way to run it. Nothing checks that `Row` fits the text: a test shows it. */
export class Manager extends EntityManager {
  #span: Span | undefined;
  #original: Manager | undefined;

  /** The manager that this one is a copy of, for work that several requests share; itself otherwise. */
  get original(): Manager {
    return this.#original ?? this;
  }

  /** Returns a manager whose statements are recorded below a span. Within a transaction that is this one, from now on. */
  under(span: Span): Manager {
    if (this.queryRunner !== undefined) {
      recordStatements(this.queryRunner, span);
      return this;
    }
    const copy = new Manager(this.dataSource);
    copy.#span = span;
    copy.#original = this.original;
    return copy;
  }

  get span(): Span | undefined {
    return this.#span;
  }

  /** Runs a statement and returns its rows: those that it selects, or those that its RETURNING names. */
  async rows<Row>(text: string, parameters?: Parameters): Promise<Row[]> {
    const { records } = await this.statement(text, parameters);
    return records as Row[];
  }

  /** Runs a statement and returns its first row; undefined when it has none. */
  async row<Row>(text: string, parameters?: Parameters): Promise<Row | undefined> {
    const [row] = await this.rows<Row>(text, parameters);
    return row;
  }

  /** Runs a statement that always has a row, such as an aggregate, and returns it. @throws {Error} when it has none */
  async one<Row>(text: string, parameters?: Parameters): Promise<Row> {
    const row = await this.row<Row>(text, parameters);
    if (row === undefined) throw new Error(`A statement that always has a row had none: ${text.slice(0, 100)}`);
    return row;
  }

  /** Runs a statement with one column and returns its value in the first row; undefined when it has no row. */
  async value<Value>(text: string, parameters?: Parameters): Promise<Value | undefined> {
    const [value] = await this.values<Value>(text, parameters);
    return value;
  }

  /** Runs a statement with one column and returns its values, one for each row. */
  async values<Value>(text: string, parameters?: Parameters): Promise<Value[]> {
    const rows = await this.rows<Readonly<Record<string, Value>>>(text, parameters);
    return rows.flatMap((row) => Object.values(row).slice(0, 1));
  }

  async countRows(text: string, parameters?: Parameters): Promise<number> {
    return (await this.value<number>(text, parameters)) ?? 0;
  }

  /** Runs a statement and returns whether it inserted, updated or deleted a row. */
  async changes(text: string, parameters?: Parameters): Promise<boolean> {
    return (await this.execute(text, parameters)) > 0;
  }

  /** Runs a statement, or several without parameters, and returns the number of rows that it inserted, updated or deleted. */
  async execute(text: string, parameters?: Parameters): Promise<number> {
    const { affected } = await this.statement(text, parameters);
    return affected ?? 0;
  }

  /** Runs a statement and returns all that the driver knows of its result. Every other method runs its statement by this one. */
  statement(text: string, parameters?: Parameters): Promise<QueryResult> {
    return run(this, text, parameters);
  }

  /** Runs `work` in a transaction, with the manager of that transaction; within a transaction it becomes a savepoint. */
  inTransaction<T>(work: (manager: Manager) => Promise<T>): Promise<T> {
    return this.transaction((manager) => {
      if (!(manager instanceof Manager))
        throw new Error('The data source makes other managers: open it with openDatabase');
      return work(this.#span === undefined ? manager : manager.under(this.#span));
    });
  }
}

async function run(manager: Manager, text: string, parameters: Parameters | undefined): Promise<QueryResult> {
  const values = parameters && [...parameters];
  if (manager.queryRunner !== undefined) return manager.queryRunner.query(text, values, true);
  const runner = manager.dataSource.createQueryRunner();
  if (manager.span !== undefined) recordStatements(runner, manager.span);
  try {
    return await runner.query(text, values, true);
  } finally {
    await runner.release();
  }
}

const recorded = new WeakSet<QueryRunner>();

/** Records each statement of a connection as a span: its text, in which values are parameters, and never the parameters. */
function recordStatements(runner: QueryRunner, span: Span): void {
  if (recorded.has(runner)) return;
  recorded.add(runner);
  const query = runner.query.bind(runner);
  const recording = (...call: unknown[]): Promise<unknown> => {
    const text = String(call[0]).trim();
    const verb = /^[A-Za-z]+/.exec(text)?.[0].toUpperCase() ?? 'SQL';
    const attributes = { 'db.system.name': 'postgresql', 'db.operation.name': verb, 'db.query.text': text };
    return spanOf(span.begin(verb, { kind: 'client', attributes }), async () => {
      const result: unknown = await Reflect.apply(query, runner, call);
      return result;
    });
  };
  Object.assign(runner, { query: recording });
}
