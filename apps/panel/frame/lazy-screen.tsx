import type { RouteComponent } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { loadPart } from './load-part.js';

/** How the script of a screen is loaded, and its name in there. */
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
