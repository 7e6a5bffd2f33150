import { Arg, Ctx, Query, Resolver, Field, ObjectType } from 'type-graphql';
import { AsOf } from '../../../shared/database/as-of/as-of.js';
import type { Context } from '../../../shared/kernel/context.js';
import { refuse } from '../../../shared/kernel/errors.js';
import { Access } from '../../../shared/graphql/access.js';
import { namedOperations } from '../operations/named-operations.js';
import { toOperation, Operation } from '../operations/operation.type.js';

/** Maximum number of operations that are compared. */
const mostCompared = 10;

@Resolver()
export class ComparisonResolver {
  @Access('data')
  @AsOf()
  @Query(() => OperationComparison, {
    description:
      'Public operations by their tickers, to be compared. Errors: 400 for more than 10 tickers, and for none.',
  })
  async operationComparison(
    @Ctx() context: Context,
    @Arg('tickers', () => [String], {
      description: 'Tickers of operations or slugs of their estates, in any case, 1 to 10',
    })
    tickers: string[],
  ) {
    if (tickers.length === 0) refuse('BAD_REQUEST', [{ path: 'tickers', message: 'must have at least 1 item' }]);
    const { operations, unknownTickers } = await namedOperations(context, tickers, mostCompared);
    return { operations: operations.map(toOperation), unknownTickers };
  }
}

@ObjectType({ simpleResolvers: true, description: 'Operations that a caller named, side by side.' })
class OperationComparison {
  @Field(() => [Operation], { description: 'The operations in the order of their tickers in the request, each once' })
  operations!: readonly Operation[];

  @Field(() => [String], { description: 'Those of the requested tickers that no public operation has' })
  unknownTickers!: readonly string[];
}
