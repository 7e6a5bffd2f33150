import { renderToStaticMarkup } from 'react-dom/server';
import { z } from 'zod';
import { cardPath } from './layout.js';
import { definePage, type Page } from './page.js';

const card = { width: 1200, height: 630 } as const;
const iconSize = 32;

async function pngOf(svg: string, width: number): Promise<Buffer> {
  // Loaded with the first picture: the program starts without it.
  const { renderAsync } = await import('@resvg/resvg-js');
  const image = await renderAsync(svg, { fitTo: { mode: 'width', value: width } });
  return image.asPng();
}

const cardPicture = definePage({
  path: cardPath,
  query: z.object({}),
  load: () => Promise.resolve(undefined),
  view: async (_none, { site: { house }, locale: { text } }) => {
    const svg = renderToStaticMarkup(
      <svg
        xmlns="http://www.w3.org/2000/svg"
        viewBox={`0 0 ${card.width} ${card.height}`}
        width={card.width}
        height={card.height}
        fontFamily="sans-serif"
      >
        <rect width={card.width} height={card.height} fill="#f7f8fa" />
        <image
          x={96}
          y={130}
          width={180}
          height={180}
          href={`data:image/svg+xml;base64,${house.mark.plain.toString('base64')}`}
        />
        <text x={96} y={450} fontSize={84} fontWeight={700} fill="#101828">
          {house.name}
        </text>
        <text x={96} y={530} fontSize={42} fill="#566174">
          {text.home.title}
        </text>
      </svg>,
    );
    return { type: 'image/png', bytes: await pngOf(svg, card.width), shared: true };
  },
});

/** The picture of the site for browsers that ask for it by its usual address: a PNG in the frame of an ICO file. */
const favicon = definePage({
  path: '/favicon.ico',
  query: z.object({}),
  load: () => Promise.resolve(undefined),
  view: async (_none, { site: { house } }) => {
    const png = await pngOf(house.mark.plain.toString(), iconSize);
    const head = Buffer.alloc(22);
    // An icon, with one picture: its size, one plane of 32 bits, its bytes, and where they begin.
    head.writeUInt16LE(1, 2);
    head.writeUInt16LE(1, 4);
    head.writeUInt8(iconSize, 6);
    head.writeUInt8(iconSize, 7);
    head.writeUInt16LE(1, 10);
    head.writeUInt16LE(32, 12);
    head.writeUInt32LE(png.length, 14);
    head.writeUInt32LE(head.length, 18);
    return { type: 'image/x-icon', bytes: Buffer.concat([head, png]), shared: true };
  },
});

export const sitePictures: readonly Page[] = [cardPicture, favicon];
