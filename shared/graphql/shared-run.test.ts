import { expect, test } from '@jest/globals';
import { Field, ObjectType, Query, Resolver, Root, Subscription } from 'type-graphql';
import { Access } from './access.js';
import { buildSubgraph } from './build.js';
import { SharedRun } from './shared-run.js';

@ObjectType({ description: 'News' })
class News {
  @Field(() => String, { description: 'What happened' })
  text!: string;
}

@ObjectType({ description: 'News with a part for some' })
class GuardedNews {
  @Access('session')
  @Field(() => String, { description: 'Who wrote it' })
  author!: string;
}

const subscribe = (): never => {
  throw new Error('Nobody subscribes here');
};

@Resolver()
class Reads {
  @SharedRun({ begins: 'latest', readers: 'everyone' })
  @Access('anyone')
  @Query(() => String, { description: 'Now' })
  now(): string {
    return '';
  }
}

@Resolver()
class Guards {
  @Access('anyone')
  @Query(() => String, { description: 'Now' })
  now(): string {
    return '';
  }

  @SharedRun({ begins: 'latest', readers: 'everyone' })
  @Access('anyone')
  @Subscription(() => GuardedNews, { description: 'News', subscribe })
  guarded(@Root() news: GuardedNews): GuardedNews {
    return news;
  }
}

@Resolver()
class Forgets {
  @Access('anyone')
  @Query(() => String, { description: 'Now' })
  now(): string {
    return '';
  }

  @SharedRun({ begins: 'events', readers: 'equal' })
  @Access('anyone')
  @Subscription(() => News, { description: 'News', subscribe })
  forgotten(@Root() news: News): News {
    return news;
  }
}

test.each([
  [new Reads(), 'now is not a subscription, and its readers cannot share a run'],
  [new Guards(), 'everyone shares the runs of guarded, but not everyone may read GuardedNews.author'],
  [new Forgets(), 'readers of forgotten share its events, and need the argument `since` to go on'],
])('a subscription whose readers cannot share its runs is refused at the start: %#', (resolver, message) => {
  expect(() => buildSubgraph({ name: 'x', resolvers: [resolver] })).toThrow(message);
});
