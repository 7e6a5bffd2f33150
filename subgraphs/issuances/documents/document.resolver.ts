import { Arg, Ctx, FieldResolver, Int, Resolver, Root } from 'type-graphql';
import { AsOf } from '../../../shared/as-of/as-of.js';
import { loaderOf, type Context } from '../../../shared/context.js';
import { requireBounds } from '../../../shared/bounds.js';
import type { Shape } from '../../../shared/subgraph/shape.js';
import { publicDocumentsOf } from '../operations/operation-parts.store.js';
import { Operation } from '../operations/operation.type.js';
import { normalizeText } from '../../../shared/format/normalize-text.js';
import { OperationDocument } from './document.type.js';

@Resolver(() => Operation)
export class DocumentResolver {
  @AsOf()
  @FieldResolver(() => [OperationDocument], {
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
    @Arg('first', () => Int, { defaultValue: 100, description: 'Maximum number of documents, from 1 to 1000' })
    first: number,
  ): Promise<readonly Shape<OperationDocument>[]> {
    requireBounds({ name: 'first', value: first, min: 1, max: 1000 });
    const documents = await loaderOf(context, publicDocumentsOf).load(id);
    const wanted = type == null ? undefined : normalizeText(type);
    return documents
      .filter((document) => wanted === undefined || normalizeText(document.type ?? '') === wanted)
      .slice(0, first);
  }
}
