import { Field, InputType, ObjectType } from 'type-graphql';
import { describeEnum } from '../../../shared/graphql/describe-enum.js';
import { DecimalScalar } from '../../../shared/graphql/scalars.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import type { CompanyStatus, AgreedTier } from './company.js';
import type { CompanyRow } from './access.store.js';
import { decimal, fields, id, inputs, nullable, of, text, texts, time } from '../../../shared/graphql/fields.js';

export const CompanyStatusEnum = describeEnum<CompanyStatus>(
  'TradingCompanyStatus',
  'Status of a company.',
  {
    ACTIVE: 'Everything that its credentials permit.',
    SUSPENDED:
      'The company can read and cancel. Requests that open something new, such as orders, are rejected with 403, also for its profiles.',
  },
  { ACTIVE: ['Ativa', 'Active'], SUSPENDED: ['Suspensa', 'Suspended'] },
);

const makerFeeText = 'Fee of an execution that added liquidity, in percent, from 0 to 10 with at most 6 decimals';
const takerFeeText = 'Fee of an execution that removed liquidity, in percent, from 0 to 10 with at most 6 decimals';
const maxOrderText = 'Maximum value of one order, in BRL with at most 2 decimals';
const maxOpenText = 'Maximum number of open orders of the company and its profiles';
const maxDailyText =
  'Maximum value that the company and its profiles trade per calendar day in São Paulo, in BRL with at most 2 decimals';
const ofProfile = "the same limit for each profile, and for the company's own trading";
const noLimit = 'Null for no limit.';
const maxQuotedText =
  'Maximum value of the quotes of the company in one market that are open or not yet hedged, for real and synthetic trading separately, in BRL with at most 2 decimals';
const aboveText = 'Value from which the tier applies, in BRL with at most 2 decimals; 0 for the first tier';
const percentText =
  'Spread on the part of the value in the tier, in percent, from 0 to 10 with at most 6 decimals; not greater than that of the previous tier';

@ObjectType('SpreadTier', { simpleResolvers: true, description: 'A tier of the marginal spread of quotes.' })
@InputType('SpreadTierInput', { description: 'A tier of the marginal spread of quotes.' })
export class SpreadTierType {
  @Field(() => DecimalScalar, { description: `${aboveText}.` })
  aboveBrl!: string;

  @Field(() => DecimalScalar, { description: `${percentText}.` })
  percent!: string;
}

@ObjectType({ simpleResolvers: true, description: 'Fees and limits of a trading company.' })
export class TradingTerms extends fields({
  makerFee: decimal(`${makerFeeText}.`),
  takerFee: decimal(`${takerFeeText}.`),
  maxOrderValue: nullable.decimal(`${maxOrderText}. ${noLimit}`),
  maxOpenOrders: nullable.int(`${maxOpenText}. ${noLimit}`),
  maxDailyVolume: nullable.decimal(`${maxDailyText}. ${noLimit}`),
  profileMaxOpenOrders: nullable.int(`\`maxOpenOrders\`: ${ofProfile}. ${noLimit}`),
  profileMaxDailyVolume: nullable.decimal(`\`maxDailyVolume\`: ${ofProfile}. ${noLimit}`),
  maxQuotedValue: decimal(`${maxQuotedText}.`),
  spreadTiers: nullable.list<AgreedTier>(
    () => SpreadTierType,
    'Spread of its quotes relative to the order books, lowest threshold first. Null for the default tiers.',
    { assumedSize: 20 },
  ),
}) {}

@InputType({ description: 'Fees and limits of a trading company; fields that are omitted keep their values.' })
export class TradingTermsInput extends inputs({
  makerFee: nullable.decimal(`${makerFeeText}; not null.`),
  takerFee: nullable.decimal(`${takerFeeText}; not null.`),
  maxOrderValue: nullable.decimal(`${maxOrderText}. ${noLimit}`),
  maxOpenOrders: nullable.int(`${maxOpenText}. ${noLimit}`),
  maxDailyVolume: nullable.decimal(`${maxDailyText}. ${noLimit}`),
  profileMaxOpenOrders: nullable.int(`\`maxOpenOrders\`: ${ofProfile}. ${noLimit}`),
  profileMaxDailyVolume: nullable.decimal(`\`maxDailyVolume\`: ${ofProfile}. ${noLimit}`),
  maxQuotedValue: nullable.decimal(`${maxQuotedText}; not null.`),
  spreadTiers: nullable.list(
    () => SpreadTierType,
    'Spread of its quotes relative to the order books, replacing all of its previous tiers: at most 20 tiers with increasing thresholds. Null for the default tiers.',
    { maxItems: 20 },
  ),
}) {}

@ObjectType({ simpleResolvers: true, description: 'A company that trades for itself and for its own clients.' })
export class TradingCompany extends fields({
  id: id('Id (UUID).'),
  name: text('Name.'),
  accountId: nullable.id('Id of the account whose webhooks receive the events of its orders and funds; null for none.'),
  rateLimit: nullable.int(
    'Maximum number of requests per minute by REST and MCP and of mutations over GraphQL, counted together; null for the configured default.',
  ),
  status: of(() => CompanyStatusEnum, 'Whether the company may open new orders, quotes, profiles and withdrawals.'),
  terms: of(() => TradingTerms, 'Its fees and limits.'),
  createdAt: time('Time of onboarding.'),
}) {}

/** A company without its credentials and profiles, which have field resolvers. */
export type CompanyShape = Shape<
  Pick<TradingCompany, 'id' | 'name' | 'accountId' | 'rateLimit' | 'status' | 'terms' | 'createdAt'>
>;

export function toCompany({ id, name, accountId, rateLimit, status, createdAt, ...terms }: CompanyRow): CompanyShape {
  return { id, name, accountId, rateLimit, status, createdAt, terms };
}

@ObjectType({
  simpleResolvers: true,
  description: 'A credential with which a program of a company logs in, without its secret.',
})
export class TradingCredential extends fields({
  id: id('Id (UUID).'),
  apiKey: text('Public key, `svc_trd_…`.'),
  scopes: texts('Scopes of the credential: `read`, `trade`, `withdraw`.'),
  allowedNetworks: nullable.texts(
    'CIDR blocks from which the credential and its tokens may be used; null for any address.',
  ),
  createdAt: time('Time of creation.'),
  expiresAt: nullable.time('Time of expiry; null for no expiry.'),
  lastUsedAt: nullable.time('Time of its last login or refresh; null before the first one.'),
  revokedAt: nullable.time('Time of revocation; null unless it was revoked.'),
}) {}

@ObjectType({ simpleResolvers: true, description: 'A new credential. Its secret cannot be read again.' })
export class CreatedTradingCredential extends fields(
  {
    secretKey: text('Secret, `svc_trd_secret_…`; it is only in this response.'),
  },
  TradingCredential,
) {}
