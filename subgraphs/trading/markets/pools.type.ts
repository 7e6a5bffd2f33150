import { Field, ObjectType } from 'type-graphql';
import { describeEnum } from '../../../shared/subgraph/describe-enum.js';
import { DateTimeScalar, DecimalScalar } from '../../../shared/subgraph/scalars.js';
import type { Shape } from '../../../shared/subgraph/shape.js';
import { coarse, type Pool, type PoolStatus } from './pools.js';

const PoolStatusEnum = describeEnum<PoolStatus>('PoolStatus', 'Whether an exchange is in use.', {
  ACTIVE: 'Orders are routed to it, and it responds: its balances are at most ten minutes old.',
  UNAVAILABLE: 'It does not respond, or no orders are routed to it. Its balances are the last that it told.',
});

const rounded = 'rounded down to a step of a hundredth to a tenth of both together (two significant digits of them)';

@ObjectType({ simpleResolvers: true, description: 'What the house holds of one currency at an exchange.' })
export class PoolBalance {
  @Field(() => String, { description: 'The currency, as exchanges write it: `BRL`, `BTC`.' })
  currency!: string;

  @Field(() => DecimalScalar, { description: `What can be used, in the currency, ${rounded}.` })
  available!: string;

  @Field(() => DecimalScalar, { description: `What open orders have set aside there, in the currency, ${rounded}.` })
  locked!: string;

  @Field(() => DecimalScalar, { description: 'Both together, as they are shown, in the currency.' })
  total!: string;
}

@ObjectType('Pool', { simpleResolvers: true, description: 'What the house holds at an exchange.' })
export class PoolType {
  @Field(() => String, { description: 'Name of the exchange.' })
  exchange!: string;

  @Field(() => PoolStatusEnum, { description: 'Whether it is in use.' })
  status!: PoolStatus;

  @Field(() => [PoolBalance], { description: 'By currency; empty where it has not told any yet.' })
  balances!: Shape<PoolBalance>[];

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'When it told them, up to ten minutes ago; null where it has not yet.',
  })
  updatedAt!: Date | null;
}

@ObjectType({ simpleResolvers: true, description: 'The pools of the connected exchanges.' })
export class PoolList {
  @Field(() => [PoolType], { description: 'By name of the exchange.' })
  pools!: Shape<PoolType>[];
}

export function toPool({ exchange, status, balances, updatedAt }: Pool): Shape<PoolType> {
  return {
    exchange,
    status,
    balances: balances.map(coarse).map(({ currency, available, locked }) => ({
      currency,
      available: available.toFixed(),
      locked: locked.toFixed(),
      total: available.plus(locked).toFixed(),
    })),
    updatedAt: updatedAt ?? null,
  };
}
