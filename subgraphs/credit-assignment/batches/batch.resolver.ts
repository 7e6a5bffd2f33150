import {
  Arg,
  Args,
  ArgsType,
  Ctx,
  FieldResolver,
  ID,
  Int,
  Query,
  Resolver,
  Root,
  Subscription,
  type ClassType,
  type SubscribeResolverData,
} from 'type-graphql';
import { requireBounds } from '../../../shared/kernel/bounds.js';
import { loaderOf, type Context } from '../../../shared/kernel/context.js';
import type { KeyRing } from '../../../shared/security/crypto.js';
import type { CursorCodec } from '../../../shared/graphql/cursor.js';
import { createEventFeed } from '../../../shared/events/outbox/event-feed.js';
import { connectionPage } from '../../../shared/graphql/list-page.js';
import { Access } from '../../../shared/graphql/access.js';
import { toConnection, type Connection } from '../../../shared/graphql/connection.js';
import { ofSince } from '../../../shared/graphql/event-args.js';
import { SharedRun } from '../../../shared/graphql/shared-run.js';
import { NumberedPageArgs } from '../../../shared/graphql/connection-type.js';
import { readScope } from '../originators/visible-originators.js';
import type { BatchKind } from './batch-kind.js';
import { batchUpdates, changesByTopic, type BatchUpdate, readBatches, type BatchFilter } from './batches.acts.js';
import { countBatches, maxErrors, type BatchErrorRow, type BatchRow } from './batch.store.js';
import { countOutstandingPieces } from '../processing/outstanding-pieces.store.js';
import { pieceSize } from '../processing/process-batch.js';
import type { BatchNames } from './batch.type.js';
import { findBatch } from './require-batch.js';
import { args, nullable } from '../../../shared/graphql/fields.js';

/** A kind of batches in the graph: its types, the names of its root fields, and the documented path. */
export interface BatchGraph<Row extends BatchRow, Shown extends object> {
  readonly kind: BatchKind<Row>;
  readonly show: (row: Row) => Shown;
  readonly types: Readonly<Record<'Batch' | 'Connection' | 'Error' | 'Update', ClassType>>;
  readonly Filter: ClassType<BatchFilter>;
  readonly fields: Readonly<Record<'one' | 'list' | 'updates', string>>;
  readonly path: string;
  readonly names: BatchNames;
}

export function batchListResolver<Row extends BatchRow, Shown extends object>(graph: BatchGraph<Row, Shown>) {
  const { kind, show, types, Filter, fields, path, names } = graph;
  @Resolver()
  class BatchListResolver {
    constructor(private readonly codec: CursorCodec) {}

    @Access('originator', readScope)
    @Query(() => types.Connection, {
      name: fields.list,
      description: `The caller's ${names.batches} in pages, newest first. REST: GET ${path}. Errors: 400 for arguments that are out of bounds, an invalid filter and an invalid cursor.`,
    })
    async list(
      @Ctx() context: Context,
      @Arg('filter', () => Filter, { nullable: true, description: 'Restricts the list; all batches when omitted' })
      filter: BatchFilter | null | undefined,
      @Args(() => NumberedPageArgs) wanted: NumberedPageArgs,
    ): Promise<Connection<Shown>> {
      const page = await readBatches(context, kind, this.codec, filter ?? {}, connectionPage(wanted));
      return toConnection(page, show, () => countBatches(context, kind, page.query));
    }
  }
  return BatchListResolver;
}

export function batchResolver<Row extends BatchRow, Shown extends object>(graph: BatchGraph<Row, Shown>) {
  const { kind, show, types, fields, path, names } = graph;
  @Resolver(() => types.Batch)
  class BatchResolver {
    @Access('originator', readScope)
    @Query(() => types.Batch, {
      name: fields.one,
      nullable: true,
      description: `A ${kind.name} of the caller; null when it does not exist. REST: GET ${path}/{id}, where it is 404 with the code of the kind.`,
    })
    async one(
      @Ctx() context: Context,
      @Arg('id', () => ID, { description: 'Id of the batch (UUID)' }) id: string,
    ): Promise<Shown | null> {
      const row = await findBatch(context, kind, id);
      return row === undefined ? null : show(row);
    }

    @FieldResolver(() => [types.Error], {
      description: `Errors of its ${names.line}s, when the batch was rejected or some were refused; at most 1,000`,
    })
    errors(
      @Ctx() context: Context,
      @Root() { id }: { readonly id: string },
      @Arg('first', () => Int, { defaultValue: 20, description: 'Maximum number of items, from 1 to 1,000' })
      first: number,
    ): Promise<readonly BatchErrorRow[]> {
      requireBounds({ name: 'first', value: first, min: 1, max: maxErrors });
      return loaderOf(context, kind.loadErrors).load({ batchId: id, first });
    }

    @FieldResolver(() => Int, {
      description: `How far a batch in PROCESSING is: parts of up to ${pieceSize} ${names.line}s that the estate has not yet taken in. 0 before it is accepted, and of other batches`,
    })
    outstandingParts(@Ctx() context: Context, @Root() { id }: { readonly id: string }): Promise<number> {
      return loaderOf(context, countOutstandingPieces).load(id);
    }
  }
  return BatchResolver;
}

@ArgsType()
class BatchUpdateArgs extends args({
  ...ofSince,
  id: nullable.id('Id of the batch; all when omitted'),
}) {}

/** Creates the resolver of the subscription to changes of batches. It is a function, since subscriptions are declared before there is an instance. */
export function batchUpdateResolver<Row extends BatchRow, Shown extends object>(
  graph: BatchGraph<Row, Shown>,
  keyRing: KeyRing,
): object {
  const { kind, show, types, fields, names } = graph;
  const feed = createEventFeed({ keyRing, topics: [...changesByTopic(kind).keys()] });
  @Resolver()
  class BatchUpdateResolver {
    @SharedRun({ begins: 'events', readers: 'equal' })
    @Access('originator', readScope)
    @Subscription(() => types.Update, {
      name: fields.updates,
      description: `Reports everything that happens to one of the caller's ${names.batches}, or to all of them, in order. ${kind.notFound} for a batch that does not exist.`,
      subscribe: ({ args, context }: SubscribeResolverData<unknown, BatchUpdateArgs, Context>) =>
        batchUpdates(context, { kind, show, feed }, { id: args.id ?? null, since: args.since ?? null }),
    })
    updates(
      @Root() update: BatchUpdate<Shown>,
      // Read by `subscribe`; declared here so that the schema contains them.
      @Args(() => BatchUpdateArgs) _args: BatchUpdateArgs,
    ): BatchUpdate<Shown> {
      return update;
    }
  }
  return new BatchUpdateResolver();
}
