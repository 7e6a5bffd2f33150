import { Arg, Args, Ctx, Directive, Int, Mutation, Query, Resolver } from 'type-graphql';
import type { Context } from '../../../shared/kernel/context.js';
import { Access } from '../../../shared/graphql/access.js';
import { AtMost } from '../../../shared/graphql/constraint.js';
import { ModeArgs } from '../profiles/require-wallet.js';
import { addCurrency } from './add-currency.js';
import { listCurrencies } from './market.store.js';
import { Currency } from './currency.type.js';

@Resolver()
export class CurrencyResolver {
  @Access('trader', 'read')
  @Directive('@listSize(assumedSize: 20)')
  @Query(() => [Currency], {
    description:
      'The currencies in which funds can be held, sorted by code; the same for real and synthetic wallets. Errors: 401 CAAS_AUTH_001; 403 without the scope `read`.',
  })
  currencies(
    @Ctx() context: Context,
    // Read by `requireSynthetic` in the sandbox only; declared here so that the schema contains it.
    // eslint-disable-next-line @typescript-eslint/no-unused-vars
    @Args(() => ModeArgs) _mode: ModeArgs,
  ): Promise<Readonly<Currency>[]> {
    return listCurrencies(context);
  }

  @Access('operator', 'trade')
  @Mutation(() => Currency, {
    description:
      'Adds a currency for markets and for fees of exchanges. Deposits and withdrawals are possible once the program supports a network for it. Errors: 400; 401 and 403 without the role `trade`; 409 when the currency already exists.',
  })
  addCurrency(
    @Ctx() context: Context,
    @AtMost({ maxLength: 12 })
    @Arg('code', () => String, { description: 'Code as exchanges use it: 2 to 12 capital letters and digits.' })
    code: string,
    @Arg('decimals', () => Int, {
      description: 'Number of decimals of its amounts, from 0 to 18; it cannot be changed later.',
    })
    decimals: number,
    @Arg('fiat', () => Boolean, { defaultValue: false, description: 'Whether it is a fiat currency.' }) fiat: boolean,
  ): Promise<Readonly<Currency>> {
    return addCurrency(context, { code, decimals, fiat });
  }
}
