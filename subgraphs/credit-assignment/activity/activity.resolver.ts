import { Arg, Args, Ctx, FieldResolver, ID, Query, Resolver, Root } from 'type-graphql';
import type { Context } from '../../../shared/kernel/context.js';
import type { CursorCodec } from '../../../shared/graphql/cursor.js';
import { isUuid } from '../../../shared/kernel/ids.js';
import { connectionPage, openPage } from '../../../shared/graphql/list-page.js';
import { Access } from '../../../shared/graphql/access.js';
import { toConnection, type Connection } from '../../../shared/graphql/connection.js';
import { CursorPageArgs } from '../../../shared/graphql/connection-type.js';
import { asOriginator } from '../originators/acting-originator.js';
import { originatorsById } from '../originators/originator.store.js';
import { readScope } from '../originators/visible-originators.js';
import { Patrimony } from '../relations/entities.type.js';
import { countActivity, listActivity } from './activity.store.js';
import { OriginatorActivity, OriginatorActivityConnection, toActivity, type ActivityShape } from './activity.type.js';

@Resolver(() => OriginatorActivity)
export class ActivityResolver {
  constructor(private readonly cursors: CursorCodec) {}

  @Access('originator', readScope)
  @Query(() => OriginatorActivityConnection, {
    description:
      'Who did what in the name of a client, newest first: batches that were created, submitted and cancelled, keys, permits, the criteria of estates since they were permitted, and changes of the client. Errors: 400 for arguments that are out of bounds and for a cursor of another list; 404 for a client that the caller may not see.',
  })
  async originatorActivity(
    @Ctx() context: Context,
    @Arg('originatorId', () => ID, { description: 'Id of the client (UUID).' }) originatorId: string,
    @Args(() => CursorPageArgs) wanted: CursorPageArgs,
  ): Promise<Connection<ActivityShape>> {
    const { ownerId } = (await asOriginator(context, originatorId)).principal;
    const page = openPage(this.cursors, connectionPage(wanted), { scope: ownerId });
    const [exactAt, id, part] = page.position;
    const [originator] = await originatorsById(context, [ownerId]);
    const found = await listActivity(context, ownerId, {
      after: exactAt === undefined || id === undefined ? undefined : { exactAt, id, part: Number(part) },
      backward: page.backward,
      limit: page.limit + 1,
    });
    return toConnection(
      page.take(found, (row) => [row.exactAt, row.id, String(row.part)]),
      (row) => toActivity(row, originator?.accountId ?? null),
      () => countActivity(context, ownerId),
    );
  }

  @FieldResolver(() => Patrimony, {
    nullable: true,
    description: 'The estate of a permit or of criteria; null for other acts, and while it is withdrawn.',
  })
  patrimony(@Root() { patrimonyId }: ActivityShape): Readonly<Patrimony> | null {
    return patrimonyId === null || !isUuid(patrimonyId) ? null : { id: patrimonyId };
  }
}
