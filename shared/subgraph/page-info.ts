import { Directive, Field, ObjectType } from 'type-graphql';

@ObjectType({ simpleResolvers: true, description: 'Where a page of a list ends.' })
@Directive('@shareable')
export class PageInfo {
  @Field(() => Boolean, { description: 'Whether there is more after this page' })
  hasNextPage!: boolean;

  @Field(() => String, {
    nullable: true,
    description: 'What to send as `after` for the next page; null for an empty page',
  })
  endCursor!: string | null;
}
