import { createRoute, redirect, type RouteComponent } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import type { Texts } from './language.js';
import { loadPart } from './load-part.js';
import { insideRoute } from './root.js';

export type Screen<Name extends string> = readonly [
  load: () => Promise<Readonly<Record<NoInfer<Name>, ComponentType>>>,
  name: Name,
];

/** A screen whose script is loaded when its route is entered. A script that does not come is an error of the route, and asked for again with the next try. */
export function lazyScreen<Name extends string>(...[load, name]: Screen<Name>): RouteComponent {
  let Loaded: ComponentType | undefined;
  const preload = async (): Promise<void> => {
    Loaded ??= (await loadPart(load))[name];
  };
  function LazyScreen() {
    if (Loaded === undefined) throw new Error('The script of this screen was not loaded by its route');
    return <Loaded />;
  }
  return Object.assign(LazyScreen, { preload });
}

/** Returns what the routes of an area are made of: their parent, which loads the texts, the bare address, which leads to the home, and screens. */
export function areaRoutes<Area extends string>(area: Area, texts: Pick<Texts<unknown>, 'load'>) {
  const parent = createRoute({ getParentRoute: () => insideRoute, path: area, loader: () => texts.load() });
  const toHome = () => {
    throw redirect({ to: '/' });
  };
  return {
    parent,
    home: createRoute({ getParentRoute: () => parent, path: '/', beforeLoad: toHome }),
    /** @param validateSearch returns the parameters of an address that the screen reads */
    screen: <Path extends string, Name extends string>(
      path: Path,
      load: Screen<Name>[0],
      name: Name,
      validateSearch: (search: Readonly<Record<string, unknown>>) => object = () => ({}),
    ) => createRoute({ getParentRoute: () => parent, path, validateSearch, component: lazyScreen(load, name) }),
  };
}
