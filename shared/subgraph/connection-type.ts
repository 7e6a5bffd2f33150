import { Field, Int, ObjectType, type ClassType } from 'type-graphql';
import { PageInfo } from './page-info.js';

/** Names of a connection, and whether it has a total count. */
export interface ConnectionOptions {
  /** GraphQL name of the nodes: `CreditBatch` makes `CreditBatchEdge` and `CreditBatchConnection`. */
  readonly name: string;
  /** The nodes in descriptions: `credit batches`. */
  readonly nodes: string;
  readonly counted?: boolean;
}

/** Creates the GraphQL type of a page of nodes, and that of its edges. `toConnection` builds its values, but for the total count. */
export function connectionType<Node extends object>(
  Node: ClassType<Node>,
  { name, nodes, counted = false }: ConnectionOptions,
) {
  @ObjectType(`${name}Edge`, { simpleResolvers: true, description: `An entry in a list of ${nodes}, with its cursor.` })
  class Edge {
    @Field(() => Node, { description: 'The entry itself' })
    node!: Node;

    @Field(() => String, { description: 'Cursor of this entry; pass it as `after` to continue behind it' })
    cursor!: string;
  }

  @ObjectType(`${name}Connection`, { simpleResolvers: true, description: `A page of ${nodes}.` })
  class Connection {
    @Field(() => [Edge], { description: `The ${nodes} of this page, each with its cursor` })
    edges!: readonly Edge[];

    @Field(() => [Node], { description: `The ${nodes} of this page` })
    nodes!: readonly Node[];

    @Field(() => PageInfo, { description: 'Whether there is a next page, and the cursor from which it continues' })
    pageInfo!: PageInfo;
  }
  if (counted) {
    const count = { description: `Number of ${nodes} on all pages` };
    Field(() => Int, count)(Connection.prototype, 'totalCount');
  }
  return Connection;
}
