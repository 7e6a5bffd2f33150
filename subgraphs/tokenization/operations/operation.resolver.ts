import { Ctx, FieldResolver, Resolver, Root, Directive, Field, ObjectType } from 'type-graphql';
import { AsOf } from '../../../shared/database/as-of/as-of.js';
import { loaderOf, type Context } from '../../../shared/kernel/context.js';
import { patrimoniesByOperation } from '../patrimonies/patrimony.store.js';
import { Patrimony, toPatrimony, type PatrimonyShape } from '../patrimonies/patrimony.type.js';
import type { ReferenceRule } from '../../../shared/graphql/references.js';

@Resolver(() => Operation)
export class OperationPatrimonyResolver {
  @AsOf()
  @FieldResolver(() => Patrimony, {
    nullable: true,
    description: 'The estate of the operation, the newest one when there are several; null when there is none',
  })
  async patrimony(@Ctx() context: Context, @Root() { ticker }: Operation): Promise<PatrimonyShape | null> {
    const row = await loaderOf(context, patrimoniesByOperation).load(ticker);
    return row === undefined ? null : toPatrimony(row);
  }
}

@Resolver(() => Patrimony)
export class PatrimonyOperationResolver {
  @FieldResolver(() => Operation, { nullable: true, description: 'The published operation of the estate' })
  operation(@Root() { operationTicker }: PatrimonyShape): Readonly<Operation> | null {
    return operationTicker === null ? null : { ticker: operationTicker };
  }
}

/** The fields of an operation that this domain knows: its ticker. The rest of the entity belongs to issuances. */
@Directive('@key(fields: "ticker")')
@ObjectType({ simpleResolvers: true, description: 'A public securitization operation, in raw values.' })
class Operation {
  @Field(() => String, { description: 'Ticker, unique without regard to case' })
  ticker!: string;
}

/** Operations are referred to by ticker; the issuances subgraph decides whether one exists. */
export const operationReference: ReferenceRule = {
  access: 'anyone',
  resolve: (_context, { ticker }) => (typeof ticker === 'string' ? { ticker } : null),
};
