import { Arg, Args, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root } from 'type-graphql';
import type { Context } from '../../../shared/kernel/context.js';
import type { CursorCodec } from '../../../shared/graphql/cursor.js';
import { ApiError } from '../../../shared/kernel/errors.js';
import { isUuid } from '../../../shared/kernel/ids.js';
import type { ImportDomain, ImportReport } from '../../../shared/import/domain.js';
import { countImports, findImport, listImports, type StoredImport } from '../../../shared/import/imports.store.js';
import { countChanges, pageChanges } from '../../../shared/import/page-changes.js';
import { connectionPage, openPage } from '../../../shared/graphql/list-page.js';
import { requireReason } from '../../../shared/kernel/reason.js';
import { requireTakenBack, revertImport } from '../../../shared/import/revert.js';
import { voidRecord } from '../../../shared/import/void.js';
import { Access, StepUp } from '../../../shared/graphql/access.js';
import { toConnection, type Connection } from '../../../shared/graphql/connection.js';
import { CursorPageArgs, PageSize } from '../../../shared/graphql/connection-type.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import {
  ChangePageArgs,
  Import,
  ImportConnection,
  ImportedRecordConnection,
  toImport,
  toImportedRecord,
  type ImportedRecord,
} from './import.type.js';

@Resolver(() => Import)
export class ImportResolver {
  constructor(
    private readonly codec: CursorCodec,
    private readonly domains: readonly ImportDomain[],
  ) {}

  @Access('operator', 'publish')
  @Query(() => ImportConnection, {
    description:
      'The imports in pages, newest first. Errors: 400 for arguments that are out of bounds and for a cursor of another list.',
  })
  async imports(
    @Ctx() context: Context,
    @Args(() => CursorPageArgs) wanted: CursorPageArgs,
  ): Promise<Connection<Shape<Import>>> {
    const page = openPage(this.codec, connectionPage(wanted), { scope: 'imports' });
    const found = await listImports(context, page);
    return toConnection(
      page.take(found, ({ id }) => [id]),
      toImport,
      () => countImports(context),
    );
  }

  @Access('operator', 'publish')
  @Query(() => Import, {
    name: 'import',
    nullable: true,
    description: 'An import by its id; null when it does not exist.',
  })
  async importById(
    @Ctx() context: Context,
    @Arg('id', () => ID, { description: 'Id (UUID).' }) id: string,
  ): Promise<Shape<Import> | null> {
    const found = isUuid(id) ? await findImport(context, id) : undefined;
    return found === undefined ? null : toImport(found);
  }

  @PageSize({ usual: 100 })
  @FieldResolver(() => ImportedRecordConnection, {
    description:
      'The records that the import changed, field by field, in pages. Errors: 400 for arguments that are out of bounds and for a cursor of another list.',
  })
  async records(
    @Ctx() context: Context,
    @Root() { id, counts }: Pick<StoredImport, 'id' | 'counts'>,
    @Args(() => ChangePageArgs) wanted: ChangePageArgs,
  ): Promise<Connection<Shape<ImportedRecord>>> {
    const page = await pageChanges(context, this.codec, this.domains, { id, counts }, wanted);
    return toConnection(page, toImportedRecord, () => countChanges({ counts }, wanted.kind));
  }

  @Access('operator', 'publish')
  @StepUp()
  @Mutation(() => Import, {
    description:
      'Reverts an import: records that it changed or removed get their earlier state, and records that it created are removed. The reversion is an import of its own, and can be reverted too. Errors: 400 for an empty reason; 404 when the import does not exist; 409 when it was already reverted, and when something refers to a record that it created; 422, with every record, when something was changed since.',
  })
  async revertImport(
    @Ctx() context: Context,
    @Arg('id', () => ID, { description: 'UUID of the import.' }) id: string,
    @Arg('reason', () => String, {
      description: 'Reason, 1 to 500 characters on one line; it is published with the correction.',
    })
    reason: string,
  ): Promise<Shape<Import>> {
    if (!isUuid(id)) throw new ApiError('NOT_FOUND', { message: `There is no import ${id}` });
    return done(context, await revertImport(context, this.domains, id, { reason: requireReason(reason) }));
  }

  @Access('operator', 'publish')
  @StepUp()
  @Mutation(() => Import, {
    description:
      'Voids a record that should never have been published: the record and everything that belongs to it disappear from all published data, and remain in the history. Unit prices of a tokenized series and final reports of an operation remain permanently: the series, its estate or the operation is withdrawn, so that nobody can read them, and its name stays reserved for it. The act is an import of its own, and `revertImport` restores everything. Errors: 400 for a kind that cannot be voided, a wrong number of names or an empty reason; 404 when the record does not exist; 422 for an asset that an originator assigned; 409 for a series with token holders, for an estate with open credits that originators assigned, and when something on chain refers to the record.',
  })
  async voidRecord(
    @Ctx() context: Context,
    @Arg('kind', () => String, { description: 'Name of the kind, such as `unitPrices`.' }) kind: string,
    @Arg('names', () => [String], {
      description:
        'Names that identify the record, as in reports of imports: the names of its parents and its own key, such as `["AURORA1S1", "2026-01-02"]`; at most 6.',
    })
    names: string[],
    @Arg('reason', () => String, {
      description: 'Reason, 1 to 500 characters on one line; it is published with the correction.',
    })
    reason: string,
  ): Promise<Shape<Import>> {
    return done(context, await voidRecord(context, this.domains, kind, names, { reason: requireReason(reason) }));
  }
}

/** @throws {ApiError} UNPROCESSABLE with every blocking error of the report */
async function done(context: Context, report: ImportReport): Promise<Shape<Import>> {
  requireTakenBack(report);
  const found = report.importId === undefined ? undefined : await findImport(context, report.importId);
  if (found === undefined) throw new Error('An import that was saved cannot be found');
  return toImport(found);
}
