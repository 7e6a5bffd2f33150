import { Field, Int, ObjectType, type ClassType } from 'type-graphql';
import { DateTimeScalar } from '../../../shared/subgraph/scalars.js';

/** Names of a kind of batches, for its GraphQL types. */
export interface BatchNames {
  /** GraphQL name of a batch: `CreditBatch`. */
  readonly type: string;
  /** Several batches, for descriptions: `credit batches`. */
  readonly batches: string;
  /** A line, for descriptions: `contract`. */
  readonly line: string;
}

/** Creates the type of a numbered page of batches, for the documented lists. */
export function batchPageType<Item extends object>(Item: ClassType<Item>, { type, batches }: BatchNames) {
  @ObjectType(`${type}Page`, { simpleResolvers: true, description: `A page of ${batches}.` })
  class Page {
    @Field(() => [Item], { description: 'The batches of this page, the newest first' })
    data!: readonly Item[];

    @Field(() => Int, { description: 'This page, from 1' })
    page!: number;

    @Field(() => Int, { description: 'Batches a page' })
    limit!: number;

    @Field(() => Int, { description: 'Batches on all pages' })
    total!: number;

    @Field(() => Int, { description: 'Pages' })
    totalPages!: number;
  }
  return Page;
}

/** Creates the type of an error of one line of a batch. */
export function batchErrorType(
  { type, line }: BatchNames,
  options: { readonly path: string; readonly nullable: boolean },
) {
  @ObjectType(`${type}Error`, {
    simpleResolvers: true,
    description: `An error of a ${line} of a batch that was rejected.`,
  })
  class BatchError {
    @Field(() => Int, { description: `Place of the ${line} in the batch, from 0` })
    index!: number;

    @Field(() => String, { nullable: options.nullable, description: "The contract in the originator's system" })
    externalId!: string | null;

    @Field(() => String, { description: `The value that is wrong: \`${options.path}\`` })
    path!: string;

    @Field(() => String, { description: 'The error, completing a sentence that begins with the path' })
    message!: string;
  }
  return BatchError;
}

/** Creates the type of an update of a batch, for subscriptions. */
export function batchUpdateType<Batch extends object>(
  Batch: ClassType<Batch>,
  Kind: object,
  { type, batches }: BatchNames,
) {
  @ObjectType(`${type}Update`, {
    simpleResolvers: true,
    description: `A change of one of the ${batches}, at the moment it happens.`,
  })
  class Update {
    @Field(() => Kind, { description: 'What happened' })
    kind!: string;

    @Field(() => DateTimeScalar, { description: 'When it happened' })
    occurredAt!: string;

    @Field(() => Batch, { description: 'The batch, as it is now' })
    batch!: Batch;
  }
  return Update;
}
