import { inflateSync } from 'node:zlib';

export type Picture = { readonly width: number; readonly height: number; readonly data: Uint8ClampedArray };

const CHANNELS = 4;

/** The predictor of PNG's filter 4 (RFC 2083, section 6.6). */
const paeth = (left: number, up: number, corner: number): number => {
  const guess = left + up - corner;
  const [a, b, c] = [left, up, corner].map((value) => Math.abs(guess - value)) as [number, number, number];
  if (a <= b && a <= c) return left;
  return b <= c ? up : corner;
};

const predict = (filter: number, left: number, up: number, corner: number): number =>
  [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter] ?? 0;

const chunksOf = (png: Buffer): readonly (readonly [string, Buffer])[] => {
  const chunks: [string, Buffer][] = [];
  for (let at = 8; at < png.length; at += png.readUInt32BE(at) + 12) {
    chunks.push([png.toString('latin1', at + 4, at + 8), png.subarray(at + 8, at + 8 + png.readUInt32BE(at))]);
  }
  return chunks;
};

/** Reads a PNG of 8-bit RGBA pixels (RFC 2083). Throws for other kinds. */
export const readPng = (png: Buffer): Picture => {
  const chunks = chunksOf(png);
  const header = chunks.find(([name]) => name === 'IHDR')?.[1] ?? Buffer.alloc(13);
  if (header.readUInt16BE(8) !== 0x0806) throw new Error('not 8-bit RGBA');
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const lines = inflateSync(Buffer.concat(chunks.filter(([name]) => name === 'IDAT').map(([, part]) => part)));
  const row = width * CHANNELS;
  const data = new Uint8ClampedArray(row * height);
  for (let at = 0; at < data.length; at += 1) {
    const [y, x] = [Math.floor(at / row), at % row];
    const left = x < CHANNELS ? 0 : (data[at - CHANNELS] ?? 0);
    const corner = x < CHANNELS ? 0 : (data[at - row - CHANNELS] ?? 0);
    const line = y * (row + 1);
    data[at] = ((lines[line + 1 + x] ?? 0) + predict(lines[line] ?? 0, left, data[at - row] ?? 0, corner)) & 0xff;
  }
  return { width, height, data };
};
