import { Arg, Args, Ctx, Int, Mutation, Query, Resolver } from 'type-graphql';
import { countEntries, readEntries } from '../../../shared/security/audit/read-entries.js';
import { PageSize } from '../../../shared/graphql/connection-type.js';
import type { Context } from '../../../shared/kernel/context.js';
import type { CursorCodec } from '../../../shared/graphql/cursor.js';
import { connectionPage, openPage } from '../../../shared/graphql/list-page.js';
import { Access, StepUp } from '../../../shared/graphql/access.js';
import { toConnection, type Connection } from '../../../shared/graphql/connection.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import {
  AuditFileFormatEnum,
  AuditLogArgs,
  AuditLogConnection,
  auditLogPage,
  toAuditEntry,
  type AuditEntry,
  AuditLogFilter,
} from './audit-log.type.js';
import { mostExported, startAuditExport, type AuditFileFormat } from './start-audit-export.js';

@Resolver()
export class AuditLogResolver {
  constructor(private readonly codec: CursorCodec) {}

  @Access('operator', 'administer')
  @PageSize(auditLogPage)
  @Query(() => AuditLogConnection, {
    description:
      'The audit log in pages, newest entries first: operations of operators, logins, rejected requests, changes of credentials. Errors: 400 for arguments that are out of bounds and for a cursor of another list or filter.',
  })
  async auditLog(
    @Ctx() context: Context,
    @Args(() => AuditLogArgs) { filter, ...wantedPage }: AuditLogArgs,
  ): Promise<Connection<Shape<AuditEntry>>> {
    const wanted = given(filter ?? {});
    const list = { ...auditLogPage, scope: JSON.stringify(wanted) };
    const page = openPage(this.codec, connectionPage(wantedPage), list);
    const [exactAt, id] = page.position;
    const found = await readEntries(context.manager, wanted, {
      order: page.backward ? 'oldest' : 'newest',
      limit: page.limit + 1,
      after: exactAt === undefined || id === undefined ? undefined : { exactAt, id },
    });
    return toConnection(
      page.take(found, (row) => [row.exactAt, row.id]),
      toAuditEntry,
      () => countEntries(context.manager, wanted),
    );
  }

  @Access('operator', 'administer')
  @StepUp()
  @Mutation(() => Int, {
    description: `Records that the entries of a filter are exported, and returns their number before that. The entries are then read as pages of \`auditLog\` with the same filter. Errors: 422 for more than ${mostExported} entries; \`lastro audit export\` has no limit.`,
  })
  async startAuditExport(
    @Ctx() context: Context,
    @Arg('filter', () => AuditLogFilter, {
      nullable: true,
      description: 'Restricts the export; all entries when omitted.',
    })
    filter: AuditLogFilter | null | undefined,
    @Arg('format', () => AuditFileFormatEnum, { description: 'Format of the file that is made of them.' })
    format: AuditFileFormat,
  ): Promise<number> {
    return startAuditExport(context, given(filter ?? {}), format);
  }
}

/** Returns the given fields of the filter in a fixed order: cursors are bound to it. */
function given({ actor, action, subject, outcome, from, to }: AuditLogFilter) {
  return {
    actor: actor ?? undefined,
    action: action ?? undefined,
    subject: subject ?? undefined,
    outcome: outcome ?? undefined,
    from: from ?? undefined,
    to: to ?? undefined,
  };
}
