import { Chalk } from 'chalk';
import { describe, expect, it } from 'vitest';
import { qrRoom, terminalQr } from '../../src/output/qr.ts';
import { readHalfBlocks, readPairs } from '../support/qr.ts';

const CODE =
  '00020126580014br.gov.bcb.pix0136b0a5a0b0-a5a0-4b0a-a5a0-b0a5a0b0a5a0520400005303986540510.005802BR5914BURSAR SANDBOX6009SAO PAULO62290525P67c7fc7043692f4578439db063048B1E';

const drawIn = (columns: number, rows: number, level: 0 | 1, unicode: boolean) =>
  terminalQr(CODE, { columns, rows }, { unicode, colour: new Chalk({ level }) });

const draw = (columns: number, level: 0 | 1, unicode: boolean) => drawIn(columns, 100, level, unicode) ?? [];

const ESCAPES = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, 'g');

describe('a QR code on a terminal', () => {
  it('is readable from half blocks, which set dark on light for every terminal theme', () => {
    const lines = draw(80, 1, true);
    for (const line of lines) expect(line).toMatch(/^\S+\[30m\S+\[107m.*\S+\[49m\S+\[39m$/);
    expect(
      readHalfBlocks(
        lines.map((line) => line.replace(ESCAPES, '')),
        true,
      ),
    ).toBe(CODE);
  });

  it('is readable without colour: light modules are drawn, and no escape sequence is written', () => {
    const lines = draw(80, 0, true);
    expect(lines.join('')).toMatch(/^[█▀▄ ]+$/);
    expect(readHalfBlocks(lines, false)).toBe(CODE);
  });

  it('is readable with only ASCII', () => {
    const lines = draw(120, 0, false);
    expect(lines.join('')).toMatch(/^[# ]+$/);
    expect(readPairs(lines, '  ')).toBe(CODE);
  });

  it('is readable from coloured spaces with ASCII and colour', () => {
    const text = draw(120, 1, false);
    const [dark, light] = [new Chalk({ level: 1 }).bgBlack('  '), new Chalk({ level: 1 }).bgWhiteBright('  ')];
    const lines = text.map((line) => line.replaceAll(dark, 'DD').replaceAll(light, 'LL'));
    expect(lines.join('')).toMatch(/^[DL]+$/);
    expect(readPairs(lines, 'DD')).toBe(CODE);
  });

  it('is not drawn on a terminal that is too narrow or too low', () => {
    for (const unicode of [true, false]) {
      const { columns, rows } = qrRoom(CODE, unicode);
      const lines = drawIn(columns, rows, 0, unicode) ?? [];
      expect([lines.length, lines[0]?.length]).toEqual([rows, columns]);
      expect(drawIn(columns - 1, rows, 0, unicode)).toBeUndefined();
      expect(drawIn(columns, rows - 1, 0, unicode)).toBeUndefined();
    }
  });

  it('is readable on a dark screen with a margin of one light module, all that a small terminal has room for', () => {
    const { columns, rows } = qrRoom(CODE, true);
    const lines = drawIn(columns, rows, 0, true) ?? [];
    const dark = [' '.repeat(columns + 8), ...lines.map((line) => `    ${line}    `), ' '.repeat(columns + 8)];
    expect(readHalfBlocks(dark, false)).toBe(CODE);
  });
});
