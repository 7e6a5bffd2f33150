import { Arg, Ctx, ID, Mutation, Query, Resolver } from 'type-graphql';
import type { Context } from '../../../../shared/kernel/context.js';
import { Access, StepUp } from '../../../../shared/graphql/access.js';
import { AtMost } from '../../../../shared/graphql/constraint.js';
import type { Shape } from '../../../../shared/graphql/shape.js';
import { maxReasonLength } from '../../../../shared/kernel/reason.js';
import { maxPostings, requireWallets, CorrectionPostingInput, LedgerCorrection, TradingWallet } from './correction.js';
import { postCorrection } from './post-correction.js';

@Resolver()
export class CorrectionResolver {
  @Access('operator', 'administer')
  @StepUp()
  @Mutation(() => LedgerCorrection, {
    description:
      "Posts a journal that corrects the ledger. Nothing that was posted before changes. Amounts that are held for orders and withdrawals cannot be corrected. Repeating the call with the same key changes nothing. Errors: 400 with all errors, and CAAS_ORD_001 when a client's balance would be negative; 401 and 403 without the role `administer`; 409 for a key that was used for another correction.",
  })
  postCorrection(
    @Ctx() context: Context,
    @AtMost({ maxLength: 200 })
    @Arg('key', () => ID, {
      description:
        'Key that prevents posting the correction twice, such as the number of a ticket: 1 to 200 characters. Clients see it in their statements as `causeId`.',
    })
    key: string,
    @Arg('synthetic', () => Boolean, { description: 'Whether the journal is synthetic.' }) synthetic: boolean,
    @AtMost({ maxLength: maxReasonLength })
    @Arg('reason', () => String, {
      description: 'Reason, which clients see in their statements. 1 to 500 characters on one line.',
    })
    reason: string,
    @AtMost({ maxItems: maxPostings })
    @Arg('postings', () => [CorrectionPostingInput], {
      description: 'Changes of the accounts, 2 to 50 of different accounts; for each currency they sum to zero.',
    })
    postings: CorrectionPostingInput[],
  ): Promise<Shape<LedgerCorrection>> {
    return postCorrection(context, { key, synthetic, reason, postings });
  }

  @Access('operator', 'read')
  @Query(() => [TradingWallet], {
    description:
      'The wallets of a company or of one of its profiles: the real one, then the synthetic one. Errors: 401, 403; 404 when the company or the profile does not exist.',
  })
  tradingWallets(
    @Ctx() context: Context,
    @Arg('companyId', () => ID, { description: 'Id of the company (UUID).' }) companyId: string,
    @Arg('profileId', () => ID, {
      nullable: true,
      description: 'Id of a profile of the company (UUID); the wallets of the company itself when omitted.',
    })
    profileId: string | null | undefined,
  ): Promise<Shape<TradingWallet>[]> {
    return requireWallets(context, companyId, profileId ?? null);
  }
}
