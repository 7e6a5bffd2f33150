import { Directive, Field, ObjectType } from 'type-graphql';
import type { Decimal } from '../../../shared/decimal.js';
import { describeEnum } from '../../../shared/subgraph/describe-enum.js';
import { DateTimeScalar, DecimalScalar } from '../../../shared/subgraph/scalars.js';
import type { Shape } from '../../../shared/subgraph/shape.js';
import { formatAmount } from '../format-amount.js';
import { coarse, type Pool, type PoolStatus } from './pools.js';

const PoolStatusEnum = describeEnum<PoolStatus>(
  'PoolStatus',
  'Availability of an exchange.',
  {
    ACTIVE: 'Orders are routed to it, and it responds: its balances are at most ten minutes old.',
    UNAVAILABLE: 'It does not respond, or no orders are routed to it. Its balances are the last known ones.',
  },
  { ACTIVE: ['Ativa', 'Active'], UNAVAILABLE: ['Indisponível', 'Unavailable'] },
);

const rounded = 'rounded down to the second significant digit of the sum of `available` and `locked`';

@ObjectType({ simpleResolvers: true, description: 'Balance of the platform in one currency at an exchange.' })
export class PoolBalance {
  @Field(() => String, { description: 'Code of the currency: `BRL`, `BTC`.' })
  currency!: string;

  @Field(() => DecimalScalar, { description: `Amount that can be used, in the currency, ${rounded}.` })
  available!: string;

  @Field(() => DecimalScalar, {
    description: `Amount that is held for open orders there, in the currency, ${rounded}.`,
  })
  locked!: string;

  @Field(() => DecimalScalar, { description: 'Sum of the two displayed amounts, in the currency.' })
  total!: string;
}

@ObjectType('Pool', { simpleResolvers: true, description: 'Balances of the platform at an exchange.' })
export class PoolType {
  @Field(() => String, { description: 'Name of the exchange.' })
  exchange!: string;

  @Field(() => PoolStatusEnum, { description: 'Availability of the exchange.' })
  status!: PoolStatus;

  @Directive('@listSize(assumedSize: 20)')
  @Field(() => [PoolBalance], { description: 'Balances by currency; empty until the exchange has reported any.' })
  balances!: Shape<PoolBalance>[];

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'Time at which the exchange reported them, up to ten minutes ago; null until it has.',
  })
  updatedAt!: Date | null;
}

@ObjectType({ simpleResolvers: true, description: 'Balances of the platform at the connected exchanges.' })
export class PoolList {
  @Directive('@listSize(assumedSize: 20)')
  @Field(() => [PoolType], { description: 'Exchanges, sorted by name.' })
  pools!: Shape<PoolType>[];
}

/** @param decimals of currencies; an exchange may hold others too */
export function toPool(
  { exchange, status, balances, updatedAt }: Pool,
  decimals: ReadonlyMap<string, number>,
): Shape<PoolType> {
  return {
    exchange,
    status,
    balances: balances.map(coarse).map(({ currency, available, locked }) => {
      const written = (amount: Decimal) => formatAmount(amount, decimals.get(currency) ?? 0);
      return {
        currency,
        available: written(available),
        locked: written(locked),
        total: written(available.plus(locked)),
      };
    }),
    updatedAt: updatedAt ?? null,
  };
}
