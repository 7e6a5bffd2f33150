import { Field, ID, InputType, Int, ObjectType } from 'type-graphql';
import { AtMost } from '../../../shared/subgraph/constraint.js';
import { describeEnum } from '../../../shared/subgraph/describe-enum.js';
import { DecimalScalar } from '../../../shared/subgraph/scalars.js';
import type { Shape } from '../../../shared/subgraph/shape.js';
import type { CompanyStatus } from './company.js';
import type { CompanyRow } from './company.store.js';
import type { AgreedTier } from './spread-tiers.js';

export const CompanyStatusEnum = describeEnum<CompanyStatus>('TradingCompanyStatus', 'What a company may do.', {
  ACTIVE: 'All that its credentials permit.',
  SUSPENDED: 'Read and cancel. Whatever opens something new gets 403, also for its profiles.',
});

const makerFeeText = 'Fee of an execution that waited in the book, in percent, from 0 to 10 with at most 6 decimals';
const takerFeeText = 'Fee of an execution that took from the book, in percent, from 0 to 10 with at most 6 decimals';
const maxOrderText = 'Most value of one order, in BRL with at most 2 decimals';
const maxOpenText = 'Most orders of the company and its profiles that are open at once';
const maxDailyText =
  'Most value that the company and its profiles trade on a civil day in São Paulo, in BRL with at most 2 decimals';
const ofProfile = 'The same of each profile, and of what the company trades for itself';
const noLimit = 'Null: no limit.';
const maxQuotedText =
  'Most value of the quotes of the company that are open or not hedged yet in one market and world, in BRL with at most 2 decimals';
const aboveText = 'From which value on the tier counts, in BRL with at most 2 decimals; 0 of the first';
const percentText =
  'What is added to the part of the value in the tier, in percent, from 0 to 10 with at most 6 decimals; not above that of the tier before';

@ObjectType('SpreadTier', { simpleResolvers: true, description: 'A marginal tier of the spread of quotes.' })
export class SpreadTierType {
  @Field(() => DecimalScalar, { description: `${aboveText}.` })
  aboveBrl!: string;

  @Field(() => DecimalScalar, { description: `${percentText}.` })
  percent!: string;
}

@InputType({ description: 'A marginal tier of the spread of quotes.' })
export class SpreadTierInput {
  @Field(() => DecimalScalar, { description: `${aboveText}.` })
  aboveBrl!: string;

  @Field(() => DecimalScalar, { description: `${percentText}.` })
  percent!: string;
}

@ObjectType({ simpleResolvers: true, description: 'What is agreed with a company that trades.' })
export class TradingTerms {
  @Field(() => DecimalScalar, { description: `${makerFeeText}.` })
  makerFee!: string;

  @Field(() => DecimalScalar, { description: `${takerFeeText}.` })
  takerFee!: string;

  @Field(() => DecimalScalar, { nullable: true, description: `${maxOrderText}. ${noLimit}` })
  maxOrderValue!: string | null;

  @Field(() => Int, { nullable: true, description: `${maxOpenText}. ${noLimit}` })
  maxOpenOrders!: number | null;

  @Field(() => DecimalScalar, { nullable: true, description: `${maxDailyText}. ${noLimit}` })
  maxDailyVolume!: string | null;

  @Field(() => Int, { nullable: true, description: `\`maxOpenOrders\`: ${ofProfile}. ${noLimit}` })
  profileMaxOpenOrders!: number | null;

  @Field(() => DecimalScalar, { nullable: true, description: `\`maxDailyVolume\`: ${ofProfile}. ${noLimit}` })
  profileMaxDailyVolume!: string | null;

  @Field(() => DecimalScalar, { description: `${maxQuotedText}.` })
  maxQuotedValue!: string;

  @Field(() => [SpreadTierType], {
    nullable: true,
    description: 'What its quotes cost beyond the books, the lowest threshold first. Null: the tiers of the house.',
  })
  spreadTiers!: readonly AgreedTier[] | null;
}

@InputType({ description: 'What is agreed with a company that trades; what is left out stays as it is.' })
export class TradingTermsInput {
  @Field(() => DecimalScalar, { nullable: true, description: `${makerFeeText}; not null.` })
  makerFee?: string | null;

  @Field(() => DecimalScalar, { nullable: true, description: `${takerFeeText}; not null.` })
  takerFee?: string | null;

  @Field(() => DecimalScalar, { nullable: true, description: `${maxOrderText}. ${noLimit}` })
  maxOrderValue?: string | null;

  @Field(() => Int, { nullable: true, description: `${maxOpenText}. ${noLimit}` })
  maxOpenOrders?: number | null;

  @Field(() => DecimalScalar, { nullable: true, description: `${maxDailyText}. ${noLimit}` })
  maxDailyVolume?: string | null;

  @Field(() => Int, { nullable: true, description: `\`maxOpenOrders\`: ${ofProfile}. ${noLimit}` })
  profileMaxOpenOrders?: number | null;

  @Field(() => DecimalScalar, { nullable: true, description: `\`maxDailyVolume\`: ${ofProfile}. ${noLimit}` })
  profileMaxDailyVolume?: string | null;

  @Field(() => DecimalScalar, { nullable: true, description: `${maxQuotedText}; not null.` })
  maxQuotedValue?: string | null;

  @AtMost({ maxItems: 20 })
  @Field(() => [SpreadTierInput], {
    nullable: true,
    description:
      'What its quotes cost beyond the books, in place of all that was agreed: at most 20 tiers with growing thresholds. Null: the tiers of the house.',
  })
  spreadTiers?: readonly AgreedTier[] | null;
}

@ObjectType({ simpleResolvers: true, description: 'A company that trades for itself and for its own clients.' })
export class TradingCompany {
  @Field(() => ID, { description: 'UUID.' })
  id!: string;

  @Field(() => String, { description: 'Its name.' })
  name!: string;

  @Field(() => ID, {
    nullable: true,
    description: 'The account whose webhooks are told of its orders and funds; null is none.',
  })
  accountId!: string | null;

  @Field(() => Int, {
    nullable: true,
    description:
      'Requests a minute by REST and MCP, and mutations on the graph, in one count; null is what the configuration says.',
  })
  rateLimit!: number | null;

  @Field(() => CompanyStatusEnum, { description: 'Whether it may open anything new.' })
  status!: CompanyStatus;

  @Field(() => TradingTerms, { description: 'Its fees and limits.' })
  terms!: TradingTerms;

  @Field(() => Date, { description: 'When it was onboarded.' })
  createdAt!: Date;
}

/** A company without its credentials and profiles, which have field resolvers. */
export type CompanyShape = Shape<
  Pick<TradingCompany, 'id' | 'name' | 'accountId' | 'rateLimit' | 'status' | 'terms' | 'createdAt'>
>;

export function toCompany({ id, name, accountId, rateLimit, status, createdAt, ...terms }: CompanyRow): CompanyShape {
  return { id, name, accountId, rateLimit, status, createdAt, terms };
}
