import 'reflect-metadata';
import { Field, Int, ObjectType, type ClassType, Directive, ArgsType } from 'type-graphql';
import type { CountAll } from './connection.js';
import { fields, of, text, flag, nullable, args } from './fields.js';

export interface ConnectionOptions {
  /** GraphQL name of the nodes: `CreditBatch` makes `CreditBatchEdge` and `CreditBatchConnection`. */
  readonly name: string;
  /** The nodes in descriptions: `credit batches`. */
  readonly nodes: string;
  /** Their order in descriptions: `newest first`. */
  readonly order?: string;
  /** Where the total count may be missing, the reason: `null where …`. */
  readonly uncounted?: string;
  /** How the documented list continues, which needs fields of its own: by a token, or by the number of a page. */
  readonly documented?: 'token' | 'number';
}

/** Creates the GraphQL types of a page of nodes and of its edges. `toConnection` builds their values. */
export function connectionType(
  Node: ClassType,
  { name, nodes, order, uncounted, documented }: ConnectionOptions,
): ClassType {
  class Connection {
    nodes!: readonly object[];
    countAll?: CountAll;
    pageSize?: number;

    totalCount(): ReturnType<CountAll> {
      if (this.countAll === undefined) throw new Error(`The connection of ${nodes} was made without a count`);
      return this.countAll();
    }

    async totalPages(): Promise<number> {
      return Math.ceil(((await this.totalCount()) ?? 0) / (this.pageSize ?? 1));
    }
  }
  const field = (property: string, type: Parameters<typeof Field>[0], description: string) => {
    Field(type, { description })(Connection.prototype, property);
  };
  const sorted = order === undefined ? '' : `, ${order}`;
  const Edge = edgeType(Node, name, nodes);
  field('edges', () => [Edge], `The ${nodes} on this page, each with its cursor`);
  field('nodes', () => [Node], `The ${nodes} on this page${sorted}`);
  field('pageInfo', () => PageInfo, 'Whether there are further pages, and the cursors from which they continue');
  const method = (property: 'totalCount' | 'totalPages', description: string, nullable = false) => {
    const descriptor = Object.getOwnPropertyDescriptor(Connection.prototype, property);
    if (descriptor !== undefined)
      Field(() => Int, { description, nullable })(Connection.prototype, property, descriptor);
  };
  const reason = uncounted === undefined ? '' : `; ${uncounted}`;
  method('totalCount', `Number of ${nodes} on all pages${reason}`, uncounted !== undefined);
  if (documented === 'token') {
    const description = 'Token to pass for the next page; null on the last page (omitted over REST)';
    Field(() => String, { description, nullable: true })(Connection.prototype, 'nextCursor');
  }
  if (documented === 'number') {
    field('page', () => Int, 'Number of this page, from 1');
    field('pageSize', () => Int, `Maximum number of ${nodes} per page`);
    method('totalPages', 'Number of pages of this size; 0 when nothing matches');
  }
  ObjectType(`${name}Connection`, { simpleResolvers: true, description: `A page of ${nodes}${sorted}.` })(Connection);
  return Connection;
}

function edgeType(Node: ClassType, name: string, nodes: string): ClassType {
  @ObjectType(`${name}Edge`, { simpleResolvers: true, description: `An entry in a list of ${nodes}, with its cursor.` })
  class Edge extends fields({
    node: of<object>(() => Node, 'The entry itself'),
    cursor: text(
      'Cursor of this entry; pass it as `after` for the entries behind it, or as `before` for those that precede it',
    ),
  }) {}
  return Edge;
}

@ObjectType({ simpleResolvers: true, description: 'The place of a page in its list.' })
@Directive('@shareable')
export class PageInfo extends fields({
  hasNextPage: flag('Whether there are items after this page'),
  hasPreviousPage: flag('Whether there are items before this page'),
  startCursor: nullable.text(
    'The cursor to send as `before` for the previous page; null for an empty page. A list without that argument cannot be read backward',
  ),
  endCursor: nullable.text('The cursor to send as `after` for the next page; null for an empty page'),
}) {}

export function ofPage({ usual = 20, most = 100, fromEnd = false } = {}) {
  const bounds = `from 1 to ${String(most)}; default ${String(usual)}`;
  const whole = fromEnd
    ? 'Without arguments, the last page is returned'
    : 'Without arguments, the first page is returned';
  return {
    first: nullable.int(`Page size, ${bounds}. ${whole}`),
    after: nullable.text(
      'The page that follows this cursor: `endCursor` of the page before, requested with the same filter and sort, if any',
    ),
    last: nullable.int(
      `Size of a page that ends before \`before\`, or at the end of the list, ${bounds}. Not together with \`first\` or \`after\``,
    ),
    before: nullable.text(
      'The page that precedes this cursor: `startCursor` of the page after, requested with the same filter and sort, if any. Not together with `first` or `after`',
    ),
  };
}

/** Declares how many items a page of a connection has without arguments, where that is not 20: the cost of an operation depends on it. */
export function PageSize({ usual }: { readonly usual: number }): MethodDecorator {
  return Directive(
    `@listSize(assumedSize: ${String(usual)}, slicingArguments: ["first", "last"], sizedFields: ["nodes"], requireOneSlicingArgument: false)`,
  );
}

@ArgsType()
export class CursorPageArgs extends args(ofPage()) {}

@ArgsType()
export class NumberedPageArgs extends args({
  ...ofPage(),
  page: nullable.int(
    'Number of the page, from 1, from the beginning of the list: above 1 without a cursor and without `last`; default 1',
  ),
}) {}
