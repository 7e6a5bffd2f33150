import { Field, Int, ObjectType, type ClassType } from 'type-graphql';
import { PageInfo } from '../../../shared/subgraph/page-info.js';

/**
 * Creates the GraphQL type of a page of nodes, and that of its edges.
 * @param name GraphQL name of the nodes: `CreditBatch` makes `CreditBatchEdge` and `CreditBatchConnection`
 * @param nodes several of them, for descriptions: `credit batches`
 */
export function connectionType<Node extends object>(Node: ClassType<Node>, name: string, nodes: string) {
  @ObjectType(`${name}Edge`, { simpleResolvers: true, description: `An entry in a list of ${nodes}.` })
  class Edge {
    @Field(() => Node, { description: 'The entry itself' })
    node!: Node;

    @Field(() => String, { description: 'Its place in the list, to continue after it' })
    cursor!: string;
  }

  @ObjectType(`${name}Connection`, { simpleResolvers: true, description: `A page of ${nodes}.` })
  class Connection {
    @Field(() => [Edge], { description: `The ${nodes} of this page, each with its place` })
    edges!: readonly Edge[];

    @Field(() => [Node], { description: `The ${nodes} of this page` })
    nodes!: readonly Node[];

    @Field(() => PageInfo, { description: 'Where this page ends' })
    pageInfo!: PageInfo;

    @Field(() => Int, { description: `Number of ${nodes} in the whole list, on all pages` })
    totalCount!: number;
  }
  return Connection;
}
