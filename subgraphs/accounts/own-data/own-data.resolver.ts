import { Arg, Ctx, Mutation, Query, Resolver } from 'type-graphql';
import type { Context } from '../../../shared/context.js';
import { Access } from '../../../shared/subgraph/access.js';
import { deleteMyAccount, type DeleteParts } from './delete-my-account.js';
import { exportMyData, type OwnData } from './export-my-data.js';
import { MyData } from './own-data.type.js';

@Resolver()
export class OwnDataResolver {
  constructor(private readonly parts: DeleteParts & { readonly rateLimit: number }) {}

  @Access('session')
  @Query(() => MyData, {
    description:
      'Everything that is held about the account of the session (LGPD, art. 18): profile, sessions, networks, keys without their secrets, watchlist, links and messages that were mailed. Its webhooks are in `webhooks`, which the same document may ask for. Errors: 401 without a session; 403 before the e-mail is confirmed.',
  })
  exportMyData(@Ctx() context: Context): Promise<OwnData> {
    return exportMyData(context, this.parts.rateLimit);
  }

  @Access('session')
  @Mutation(() => Boolean, {
    description:
      'Deletes the account of the session at once and for good (LGPD, art. 18): name, e-mail, company, sessions, networks, keys, watchlist, links and the messages that were mailed. Within 1 second its sessions and keys are refused by every instance; its webhooks are deleted, and an originator that was linked with it is linked no more, some seconds later. The audit log, and what was assigned, name it by its id alone. A last message confirms it to the e-mail, and is held for 30 days; the e-mail may register again. Errors: 400 for what is no password; 401 without a session; 403 before the e-mail is confirmed; 409 when the password was changed meanwhile; 422 for a wrong password; 429 with Retry-After after ten failures for the e-mail in 15 minutes; 503 when the portal has to say and does not answer.',
  })
  async deleteMyAccount(
    @Ctx() context: Context,
    @Arg('password', () => String, {
      description: "The password of the account; that of the portal for an account of the issuer's portal.",
    })
    password: string,
  ): Promise<boolean> {
    await deleteMyAccount(context, this.parts, password);
    return true;
  }
}
