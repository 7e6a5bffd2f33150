import { Arg, Ctx, Directive, Mutation, Query, Resolver } from 'type-graphql';
import type { Context } from '../../../shared/kernel/context.js';
import { Access, StepUp } from '../../../shared/graphql/access.js';
import { InSteps } from '../../../shared/graphql/in-steps.js';
import { deleteMyAccount, type DeleteParts, exportMyData } from './own-data.acts.js';

@Resolver()
export class OwnDataResolver {
  constructor(private readonly parts: DeleteParts & { readonly rateLimit: number }) {}

  @Access('session')
  @StepUp()
  @Directive('@cost(weight: 1000)')
  @Query(() => String, {
    description:
      'Everything that is stored about the account of the session (LGPD, art. 18), as JSON: profile, sessions, networks, keys without their secrets, their use, watchlist, links, mailed messages, and its acts in the audit log without the states before and after them. The webhooks of the account are in `webhooks`, which can be requested in the same document. Errors: 401 without a session; 403 before the e-mail is confirmed.',
  })
  exportMyData(@Ctx() context: Context): Promise<string> {
    return exportMyData(context, this.parts.rateLimit);
  }

  @Access('session')
  @InSteps()
  @Mutation(() => Boolean, {
    description:
      'Deletes the account of the session at once and permanently (LGPD, art. 18): name, e-mail, company, sessions, networks, keys, watchlist, links and mailed messages. Within 1 second every instance rejects its sessions and keys; some seconds later its webhooks are deleted and a linked originator is unlinked. The audit log and assigned credits refer to it by its id only. A last message, stored for 30 days, confirms the deletion to the e-mail, which may be registered again. Errors: 400 for an invalid password; 401 without a session; 403 before the e-mail is confirmed; 409 when the password was changed at the same time; 422 for a wrong password; 429 with Retry-After after ten failures for the e-mail in 15 minutes; 503 when only the portal can verify the password and does not respond.',
  })
  async deleteMyAccount(
    @Ctx() context: Context,
    @Arg('password', () => String, {
      description: "Password of the account; for an account of the issuer's portal, the password of the portal.",
    })
    password: string,
  ): Promise<boolean> {
    await deleteMyAccount(context, this.parts, password);
    return true;
  }
}
