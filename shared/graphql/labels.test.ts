import { afterAll, describe, expect, test } from '@jest/globals';
import { parse } from 'graphql';
import { Field, FieldResolver, ObjectType, Query, Resolver } from 'type-graphql';
import { testContext, testKeyRing } from '../../tests/kit/context.js';
import { openTestDatabase } from '../../tests/kit/database.js';
import { anonymous } from '../kernel/context.js';
import { Access } from './access.js';
import { buildSubgraph } from './build.js';
import { describeEnum } from './describe-enum.js';
import { createExecutor } from './execute.js';
import { declareLabels, PublishedLabel } from './labels.js';

type Tide = 'HIGH' | 'LOW' | 'OTHER';
const TideEnum = describeEnum<Tide>(
  'Tide',
  'Level of the sea.',
  { HIGH: 'High', LOW: 'Low', OTHER: 'Unknown' },
  { HIGH: ['Alta', 'High tide'], LOW: ['Baixa', 'Low tide'], OTHER: ['Outra', 'Other'] },
);
const WindEnum = describeEnum<'NORTH'>('Wind', 'Direction of the wind.', { NORTH: 'From the north' });

@ObjectType({ simpleResolvers: true })
class Harbour {
  @Field(() => TideEnum)
  tide!: Tide;

  @Field(() => TideEnum, { nullable: true })
  nextTide!: Tide | null;

  @PublishedLabel('posted')
  @Field(() => TideEnum)
  sign!: Tide;

  @Field(() => WindEnum)
  wind!: 'NORTH';

  @Access('operator', 'read')
  @Field(() => TideEnum, { nullable: true })
  originator!: Tide | null;
}

@ObjectType()
class Taken {
  @Field(() => TideEnum)
  tide!: Tide;

  @Field(() => String)
  tideLabel!: string;
}

@Resolver(() => Harbour)
class Harbours {
  @Access('anyone')
  @Query(() => [Harbour])
  harbours(): object[] {
    const known = {
      tide: 'LOW',
      nextTide: null,
      sign: 'HIGH',
      posted: 'Maré cheia',
      wind: 'NORTH',
      originator: 'HIGH',
    };
    return [known, { ...known, nextTide: 'HIGH', sign: 'OTHER', posted: 'Sem maré' }];
  }

  @FieldResolver(() => TideEnum)
  computed(): Promise<Tide> {
    return Promise.resolve('HIGH');
  }
}

@Resolver()
class Takens {
  @Access('anyone')
  @Query(() => Taken, { nullable: true })
  taken(): Taken | null {
    return null;
  }
}

const { schema, sdl } = buildSubgraph({ name: 'x', resolvers: [new Harbours()] });
const database = await openTestDatabase();
const executor = createExecutor(schema, testKeyRing);
afterAll(() => database.close());

describe('labels of enums', () => {
  const run = async (text: string, variables: Record<string, unknown> = {}): Promise<unknown> => {
    const context = testContext({ manager: database.dataSource.manager, principal: anonymous('192.0.2.1') });
    const document = parse(text);
    // With graphql-js the first time and with graphql-jit the second.
    const first: unknown = await executor.execute({ document, variables }, { ...context, loaders: new Map() });
    expect(await executor.execute({ document, variables }, context)).toEqual(first);
    return JSON.parse(JSON.stringify(first));
  };

  test('are Portuguese, or English on request, and null where the value is', async () => {
    const text = `query ($l: Locale!) { harbours {
      tideLabel en: tideLabel(locale: EN) nextTideLabel(locale: $l) computedLabel(locale: $l) } }`;
    expect(await run(text, { l: 'EN' })).toEqual({
      data: {
        harbours: [
          { tideLabel: 'Baixa', en: 'Low tide', nextTideLabel: null, computedLabel: 'High tide' },
          { tideLabel: 'Baixa', en: 'Low tide', nextTideLabel: 'High tide', computedLabel: 'High tide' },
        ],
      },
    });
  });

  test('are the published text where there is one: in Portuguese always, in English for a value that is not known', async () => {
    expect(await run('{ harbours { sign signLabel en: signLabel(locale: EN) } }')).toEqual({
      data: {
        harbours: [
          { sign: 'HIGH', signLabel: 'Maré cheia', en: 'High tide' },
          { sign: 'OTHER', signLabel: 'Sem maré', en: 'Sem maré' },
        ],
      },
    });
  });

  test('are read by those only who may read the value', async () => {
    expect(await run('{ harbours { originatorLabel } }')).toMatchObject({
      data: { harbours: [{ originatorLabel: null }, { originatorLabel: null }] },
      errors: [{ extensions: { code: 'UNAUTHORIZED' } }, { extensions: { code: 'UNAUTHORIZED' } }],
    });
  });

  test('belong to enums that declare some', () => {
    expect(sdl).toContain('tideLabel(');
    expect(sdl).not.toContain('windLabel');
  });

  test('are refused where their name is taken, or where the enum has others', () => {
    expect(() => buildSubgraph({ name: 'x', resolvers: [new Takens()] })).toThrow('Taken.tide can have no label');
    expect(() => {
      declareLabels('Tide', { HIGH: ['Cheia', 'High'] });
    }).toThrow('Tide is declared twice');
  });
});
