import { Arg, Args, Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { AsOf } from '../../../shared/database/as-of/as-of.js';
import { PageSize } from '../../../shared/graphql/page-args.js';
import { loaderOf, type Context } from '../../../shared/kernel/context.js';
import type { CursorCodec } from '../../../shared/graphql/cursor.js';
import { connectionType } from '../../../shared/graphql/connection-type.js';
import type { Connection } from '../../../shared/graphql/connection.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import { PartPageArgs, partConnection, partPage } from '../operations/period.js';
import { publicDocumentsOf } from '../operations/operation-list.store.js';
import { Operation } from '../operations/operation.type.js';
import { normalizeText } from '../../../shared/kernel/format/normalize-text.js';
import { OperationDocument } from './document.type.js';

const OperationDocumentConnection = connectionType(OperationDocument, {
  name: 'OperationDocument',
  nodes: 'documents',
  order: 'newest first',
});

@Resolver(() => Operation)
export class DocumentResolver {
  constructor(private readonly codec: CursorCodec) {}

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
}
