import { Arg, Ctx, ID, Mutation, Query, Resolver } from 'type-graphql';
import type { Context } from '../../../../shared/context.js';
import { Access } from '../../../../shared/subgraph/access.js';
import { AtMost } from '../../../../shared/subgraph/constraint.js';
import type { Shape } from '../../../../shared/subgraph/shape.js';
import { maxReasonLength } from '../../../../shared/reason.js';
import { maxPostings } from './correction.js';
import { CorrectionPostingInput, LedgerCorrection, TradingWallet } from './correction.type.js';
import { postCorrection } from './post-correction.js';
import { requireWallets } from './require-wallets.js';

@Resolver()
export class CorrectionResolver {
  @Access('operator', 'administer')
  @Mutation(() => LedgerCorrection, {
    description:
      'Posts a journal that corrects the ledger: nothing that was posted changes, and what was posted wrong stays beside it. What clients have set aside for orders and withdrawals moves by those alone. The same again under its key changes nothing. Errors: 400 with everything that is wrong, and CAAS_ORD_001 where a client would have less than nothing; 401 and 403 without the role `administer`; 409 for a key that was used for something else.',
  })
  postCorrection(
    @Ctx() context: Context,
    @AtMost({ maxLength: 200 })
    @Arg('key', () => ID, {
      description:
        'What makes it happen once, such as the number of a ticket: 1 to 200 characters. Clients read it in their statements, as `causeId`.',
    })
    key: string,
    @Arg('synthetic', () => Boolean, { description: 'Whether in the synthetic world.' }) synthetic: boolean,
    @AtMost({ maxLength: maxReasonLength })
    @Arg('reason', () => String, {
      description: 'Why: clients read it in their statements. 1 to 500 characters on one line.',
    })
    reason: string,
    @AtMost({ maxItems: maxPostings })
    @Arg('postings', () => [CorrectionPostingInput], {
      description:
        'What each account gains or loses, 2 to 50 of different accounts: of each currency they add up to zero.',
    })
    postings: CorrectionPostingInput[],
  ): Promise<Shape<LedgerCorrection>> {
    return postCorrection(context, { key, synthetic, reason, postings });
  }

  @Access('operator', 'read')
  @Query(() => [TradingWallet], {
    description:
      'The wallets of a company, or of a profile of it: the real one, then the synthetic one. Errors: 401, 403; 404 where there is no such company or profile.',
  })
  tradingWallets(
    @Ctx() context: Context,
    @Arg('companyId', () => ID, { description: 'Id of the company (UUID).' }) companyId: string,
    @Arg('profileId', () => ID, {
      nullable: true,
      description: 'Id of a profile of it (UUID); the wallets of the company itself when omitted.',
    })
    profileId: string | null | undefined,
  ): Promise<Shape<TradingWallet>[]> {
    return requireWallets(context, companyId, profileId ?? null);
  }
}
