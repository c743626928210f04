import { Chalk } from 'chalk';
import { describe, expect, it } from 'vitest';
import { qrColumns, terminalQr } from '../../src/output/qr.ts';
import { readHalfBlocks, readPairs } from '../support/qr.ts';

const CODE =
  '00020126580014br.gov.bcb.pix0136b0a5a0b0-a5a0-4b0a-a5a0-b0a5a0b0a5a0520400005303986540510.005802BR5914BURSAR SANDBOX6009SAO PAULO62290525P67c7fc7043692f4578439db063048B1E';

const style = (columns: number, level: 0 | 1, unicode: boolean) => ({ columns, unicode, colour: new Chalk({ level }) });

const linesOf = (text: string | undefined) => (text ?? '').split('\n').slice(0, -1);

const ESCAPES = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, 'g');

describe('a QR code on a terminal', () => {
  it('is read back from half blocks, dark on light whatever the colours of the terminal', () => {
    const lines = linesOf(terminalQr(CODE, style(80, 1, true)));
    for (const line of lines) expect(line).toMatch(/^\S+\[30m\S+\[107m.*\S+\[49m\S+\[39m$/);
    expect(
      readHalfBlocks(
        lines.map((line) => line.replace(ESCAPES, '')),
        true,
      ),
    ).toBe(CODE);
  });

  it('is read back without colour: the light modules are drawn, and no escape is written', () => {
    const lines = linesOf(terminalQr(CODE, style(80, 0, true)));
    expect(lines.join('')).toMatch(/^[█▀▄ ]+$/);
    expect(readHalfBlocks(lines, false)).toBe(CODE);
  });

  it('is read back where there is ASCII alone', () => {
    const lines = linesOf(terminalQr(CODE, style(120, 0, false)));
    expect(lines.join('')).toMatch(/^[# ]+$/);
    expect(readPairs(lines, '  ')).toBe(CODE);
  });

  it('is read back from coloured spaces where there is ASCII and colour', () => {
    const text = terminalQr(CODE, style(120, 1, false)) ?? '';
    const [dark, light] = [new Chalk({ level: 1 }).bgBlack('  '), new Chalk({ level: 1 }).bgWhiteBright('  ')];
    const lines = linesOf(text.replaceAll(dark, 'DD').replaceAll(light, 'LL'));
    expect(lines.join('')).toMatch(/^[DL]+$/);
    expect(readPairs(lines, 'DD')).toBe(CODE);
  });

  it('is not drawn where it does not fit: half a code is none', () => {
    expect(terminalQr(CODE, style(40, 1, true))).toBeUndefined();
    expect(terminalQr(CODE, style(80, 0, false))).toBeUndefined();
    const width = linesOf(terminalQr(CODE, style(80, 0, true)))[0]?.length ?? 0;
    expect(terminalQr(CODE, style(width, 0, true))).toBeDefined();
    expect(terminalQr(CODE, style(width - 1, 0, true))).toBeUndefined();
    expect([qrColumns(CODE, true), qrColumns(CODE, false)]).toEqual([width, 2 * width]);
  });
});
