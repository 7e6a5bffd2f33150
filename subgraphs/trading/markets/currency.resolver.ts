import { Ctx, Query, Resolver } from 'type-graphql';
import type { Context } from '../../../shared/context.js';
import { Access } from '../../../shared/subgraph/access.js';
import { listCurrencies } from './currency.store.js';
import { Currency } from './currency.type.js';

@Resolver()
export class CurrencyResolver {
  @Access('trader', 'read')
  @Query(() => [Currency], { description: 'The currencies in which funds can be held, by code.' })
  currencies(@Ctx() context: Context): Promise<Readonly<Currency>[]> {
    return listCurrencies(context);
  }
}
