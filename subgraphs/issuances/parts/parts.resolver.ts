import { Arg, Args, Ctx, FieldResolver, Resolver, Root, type ClassType } from 'type-graphql';
import { AsOf } from '../../../shared/database/as-of/as-of.js';
import type { Connection } from '../../../shared/graphql/connection.js';
import { connectionType, PageSize } from '../../../shared/graphql/connection-type.js';
import type { CursorCodec } from '../../../shared/graphql/cursor.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import { civilDate } from '../../../shared/kernel/clock.js';
import { loaderOf, type Context } from '../../../shared/kernel/context.js';
import { normalizeText } from '../../../shared/kernel/format/normalize-text.js';
import {
  accountsOf,
  assembliesOf,
  communicationsOf,
  guaranteesOf,
  obligationsOf,
  participantsOf,
  permittedInvestmentsOf,
  publicDocumentsOf,
} from '../operations/operation-list.store.js';
import { Operation } from '../operations/operation.type.js';
import { PartPageArgs, PeriodArgs, partConnection, partPage, periodConnection } from '../operations/period.js';
import { obligationStatus, type ObligationStatus } from './obligation.js';
import {
  Assembly,
  Communication,
  Guarantee,
  Obligation,
  ObligationStatusEnum,
  OperationAccount,
  OperationDocument,
  Participant,
  PermittedInvestment,
} from './part.type.js';

function partList(Part: ClassType, name: string, nodes: string, order = 'newest first') {
  return connectionType(Part, { name, nodes, order });
}
const AssemblyConnection = partList(Assembly, 'Assembly', 'meetings');
const CommunicationConnection = partList(Communication, 'Communication', 'communications');
const OperationDocumentConnection = partList(OperationDocument, 'OperationDocument', 'documents');
const ObligationConnection = partList(Obligation, 'Obligation', 'obligations', 'by due date');

/** Resolves the lists of an operation that come from its deed and publications; the short ones, whose length the deed limits, have no pages. */
@Resolver(() => Operation)
export class PartsResolver {
  constructor(private readonly codec: CursorCodec) {}

  @AsOf()
  @FieldResolver(() => [Guarantee], { description: 'Guarantees of the operation' })
  guarantees(@Ctx() context: Context, @Root() { id }: Shape<Operation>): Promise<Shape<Guarantee>[]> {
    return loaderOf(context, guaranteesOf).load(id);
  }

  @AsOf()
  @FieldResolver(() => [Participant], { description: 'Companies with a role in the operation' })
  participants(@Ctx() context: Context, @Root() { id }: Shape<Operation>): Promise<Shape<Participant>[]> {
    return loaderOf(context, participantsOf).load(id);
  }

  @AsOf()
  @FieldResolver(() => [OperationAccount], { description: 'Its bank accounts' })
  accounts(@Ctx() context: Context, @Root() { id }: Shape<Operation>): Promise<Shape<OperationAccount>[]> {
    return loaderOf(context, accountsOf).load(id);
  }

  @AsOf()
  @FieldResolver(() => [PermittedInvestment], { description: 'Permitted investments of its cash' })
  permittedInvestments(
    @Ctx() context: Context,
    @Root() { id }: Shape<Operation>,
  ): Promise<Shape<PermittedInvestment>[]> {
    return loaderOf(context, permittedInvestmentsOf).load(id);
  }

  @AsOf()
  @PageSize(partPage)
  @FieldResolver(() => ObligationConnection, {
    description:
      'Obligations that fall due in a period, by due date. Errors: 400 for a period that ends before it begins and for arguments that are out of bounds.',
  })
  async obligations(
    @Ctx() context: Context,
    @Root() { id }: Shape<Operation>,
    @Args(() => PeriodArgs) period: PeriodArgs,
    @Arg('status', () => ObligationStatusEnum, { nullable: true, description: 'Only items with this status' })
    status: ObligationStatus | null | undefined,
  ): Promise<Connection<Shape<Obligation>>> {
    const today = civilDate(context.clock.now());
    const rows = await loaderOf(context, obligationsOf).load(id);
    const obligations = rows.map((row) => ({ ...row, status: obligationStatus(row, today) }));
    const wanted = status == null ? obligations : obligations.filter((obligation) => obligation.status === status);
    return periodConnection(this.codec, wanted, period, {
      scope: ['obligations', id, status ?? null],
      keys: [{ of: ({ dueDate }) => dueDate }, { of: (obligation) => obligation.id }],
      dayOf: ({ dueDate }) => dueDate,
    });
  }

  @AsOf()
  @PageSize(partPage)
  @FieldResolver(() => OperationDocumentConnection, {
    description: 'Public documents, newest first. Errors: 400 for arguments that are out of bounds.',
  })
  async documents(
    @Ctx() context: Context,
    @Root() { id }: Shape<Operation>,
    @Arg('type', () => String, {
      nullable: true,
      description: 'Only documents of this type, without regard to case and accents',
    })
    type: string | null | undefined,
    @Args(() => PartPageArgs) page: PartPageArgs,
  ): Promise<Connection<Shape<OperationDocument>>> {
    const documents = await loaderOf(context, publicDocumentsOf).load(id);
    const wanted = type == null ? undefined : normalizeText(type);
    const found = documents.filter((document) => wanted === undefined || normalizeText(document.type ?? '') === wanted);
    return partConnection(this.codec, found, page, {
      scope: ['documents', id, wanted ?? null],
      keys: [{ of: ({ exactCreatedAt }) => exactCreatedAt, descending: true }, { of: (document) => document.id }],
    });
  }

  @AsOf()
  @PageSize(partPage)
  @FieldResolver(() => CommunicationConnection, {
    description:
      'Notices and material facts in a period, newest first. Errors: 400 for a period that ends before it begins and for arguments that are out of bounds.',
  })
  async communications(
    @Ctx() context: Context,
    @Root() { id }: Shape<Operation>,
    @Args(() => PeriodArgs) period: PeriodArgs,
  ): Promise<Connection<Shape<Communication>>> {
    return periodConnection(this.codec, await loaderOf(context, communicationsOf).load(id), period, {
      scope: ['communications', id],
      keys: [{ of: ({ date }) => date, descending: true }, { of: (communication) => communication.id }],
      dayOf: ({ date }) => date,
    });
  }

  @AsOf()
  @PageSize(partPage)
  @FieldResolver(() => AssemblyConnection, {
    description:
      'Meetings of the holders in a period, newest first. Errors: 400 for a period that ends before it begins and for arguments that are out of bounds.',
  })
  async assemblies(
    @Ctx() context: Context,
    @Root() { id }: Shape<Operation>,
    @Args(() => PeriodArgs) period: PeriodArgs,
  ): Promise<Connection<Shape<Assembly>>> {
    return periodConnection(this.codec, await loaderOf(context, assembliesOf).load(id), period, {
      scope: ['assemblies', id],
      keys: [{ of: ({ date }) => date, descending: true }, { of: (assembly) => assembly.id }],
      dayOf: ({ date }) => date,
    });
  }
}
