import { Args, Ctx, Mutation, Query, Resolver } from 'type-graphql';
import type { Context } from '../../../shared/kernel/context.js';
import { Access } from '../../../shared/graphql/access.js';
import { FormMutation } from '../../../shared/graphql/forms.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import { Order, toOrder } from '../orders/order.type.js';
import { createQuote, type QuoteParts, executeQuote, readQuote } from './quotes.acts.js';
import { CreateQuoteArgs, QuoteArgs, Quote, toQuote } from './quote.type.js';

const common = (scope: string) =>
  `401 CAAS_AUTH_001; 403 without the scope \`${scope}\`; 404 for a profile that does not belong to the company`;

@Resolver()
export class QuoteResolver {
  constructor(private readonly parts: QuoteParts) {}

  @Access('trader', 'trade')
  @FormMutation()
  @Mutation(() => Quote, {
    description: `Quotes a price that is guaranteed for 30 seconds, without a hold on funds. REST: POST /v1/orders/rfq/createQuote. Errors: 400; 400 CAAS_ORD_002 for a market that is not traded, CAAS_ORD_003 for an amount below its minimum; ${common('trade')}; 403 for a suspended profile or company; 422 for an amount that is not greater than 0, that the order books cannot fill, or that exceeds a limit: 20 open quotes per wallet, and the value of a company's quotes in a market that are open or not yet hedged.`,
  })
  async createQuote(
    @Ctx() context: Context,
    @Args(() => CreateQuoteArgs) { profileId, synthetic, ...input }: CreateQuoteArgs,
  ): Promise<Shape<Quote>> {
    return toQuote(await createQuote(context, this.parts, { profileId, synthetic }, input));
  }

  @Access('trader', 'trade')
  @Mutation(() => Order, {
    description: `Executes a quote: an order at the quoted price, filled completely. REST: POST /v1/orders/rfq/createOrder and POST /v1/orders/rfq/executeQuote. Errors: 400 CAAS_ORD_001 for insufficient funds, CAAS_ORD_002 while the market is halted; ${common('trade')} or a quote that is not in the wallet; 403 for a suspended profile or company; 409 CAAS_RFQ_002 for a quote that was already executed; 410 CAAS_RFQ_001 for one that has expired; 422 when it exceeds an agreed limit.`,
  })
  async executeQuote(
    @Ctx() context: Context,
    @Args(() => QuoteArgs) { quoteId, ...choice }: QuoteArgs,
  ): Promise<Shape<Order>> {
    return toOrder(await executeQuote(context, this.parts, choice, quoteId));
  }

  @Access('trader', 'read')
  @Query(() => Quote, {
    description: `A quote of the wallet; an expired one is stored for a day. REST: GET /v1/orders/rfq/fetchQuote. Errors: ${common('read')} or a quote that is not in the wallet.`,
  })
  async fetchQuote(
    @Ctx() context: Context,
    @Args(() => QuoteArgs) { quoteId, ...choice }: QuoteArgs,
  ): Promise<Shape<Quote>> {
    return toQuote(await readQuote(context, choice, quoteId));
  }
}
