/**
 * Assembles the sandbox's lending program into src/sandbox/solana/program/artifact.ts, so that no compiler is needed.
 * It reads the part of LLVM's BPF syntax that the source uses, and writes an ELF file for Solana's loader (sBPF v0).
 * With --check it writes nothing, and exits with 1 if the committed file differs. With --elf it prints the ELF file.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../../src/sandbox/solana/program/', import.meta.url));
const artifactPath = `${folder}artifact.ts`;

const WORD = 8;
const REGISTER = 'r(10|[0-9])';
const NUMBER = '(-?(?:0x[0-9a-f]+|[0-9]+))';
const AT = `\\(r(10|[0-9]) ([+-]) ([0-9]+)\\)`;

/** Opcodes by operator: for a number, and for a register. */
const CHANGES = {
  '': [0xb7, 0xbf],
  '+': [0x07, 0x0f],
  '-': [0x17, 0x1f],
  '*': [0x27, 0x2f],
  '&': [0x57, 0x5f],
  '<<': [0x67, 0x6f],
};
const JUMPS = { '==': [0x15, 0x1d], '!=': [0x55, 0x5d], '>': [0x25, 0x2d] };
const LOADS = { u8: 0x71, u32: 0x61, u64: 0x79 };
const STORES = { u8: 0x73, u32: 0x63, u64: 0x7b };

const instruction = (opcode, { to = 0, from = 0, offset = 0, value = 0 }) => {
  const bytes = Buffer.alloc(WORD);
  bytes.writeUInt8(opcode, 0);
  bytes.writeUInt8((from << 4) | to, 1);
  bytes.writeInt16LE(offset, 2);
  bytes.writeInt32LE(value, 4);
  return bytes;
};

const constant = (to, text) => {
  const value = Buffer.alloc(WORD);
  value.writeBigUInt64LE(BigInt(text));
  const half = (opcode, at, register) => instruction(opcode, { to: register, value: value.readInt32LE(at) });
  return Buffer.concat([half(0x18, 0, to), half(0, 4, 0)]);
};

/** The opcode and the operand for a number or a register on the right side. */
const rightSide = ([byNumber, byRegister], text) =>
  text.startsWith('r') ? [byRegister, { from: Number(text.slice(1)) }] : [byNumber, { value: Number(text) }];

/** The syntax of each instruction, and a function that returns its bytes when the positions of the labels are known. */
const FORMS = [
  ['exit', () => instruction(0x95, {})],
  [`${REGISTER} = ${NUMBER} ll`, ([to, value]) => constant(Number(to), value)],
  [
    `${REGISTER} = \\*\\((u8|u32|u64) \\*\\)${AT}`,
    ([to, size, from, sign, offset]) =>
      instruction(LOADS[size], { to: Number(to), from: Number(from), offset: Number(sign + offset) }),
  ],
  [
    `\\*\\((u8|u32|u64) \\*\\)${AT} = ${REGISTER}`,
    ([size, to, sign, offset, from]) =>
      instruction(STORES[size], { to: Number(to), from: Number(from), offset: Number(sign + offset) }),
  ],
  [
    `${REGISTER} (|\\+|-|\\*|&|<<)= (r(?:10|[0-9])|-?[0-9]+)`,
    ([to, operator, operand]) => {
      const [opcode, more] = rightSide(CHANGES[operator], operand);
      return instruction(opcode, { to: Number(to), ...more });
    },
  ],
  [
    `if ${REGISTER} (==|!=|>) (r(?:10|[0-9])|-?[0-9]+) goto (\\w+)`,
    ([to, operator, operand, label], place) => {
      const [opcode, more] = rightSide(JUMPS[operator], operand);
      return instruction(opcode, { to: Number(to), offset: place(label), ...more });
    },
  ],
  ['goto (\\w+)', ([label], place) => instruction(0x05, { offset: place(label) })],
  // A name without a label is a call of the runtime. The loader writes the number of the function there.
  ['call (\\w+)', ([label], place) => instruction(0x85, { from: 1, value: place(label) ?? -1 })],
].map(([form, bytesOf]) => [new RegExp(`^${form}$`), bytesOf]);

const read = (line) => {
  for (const [form, bytesOf] of FORMS) {
    const found = form.exec(line);
    if (found) return (place) => bytesOf(found.slice(1), place);
  }
  throw new Error(`unknown instruction: ${line}`);
};

/** The machine code of a source, its calls of the runtime with their positions, and the position of its entry point. */
const assemble = (source) => {
  const labels = new Map();
  const lines = [];
  let at = 0;
  for (const written of source.split('\n')) {
    const line = written.replace(/#.*/, '').trim();
    if (line === '' || line.startsWith('.')) continue;
    if (line.endsWith(':')) {
      labels.set(line.slice(0, -1), at);
      continue;
    }
    lines.push({ at, line, bytesOf: read(line) });
    at += line.endsWith(' ll') ? 2 : 1;
  }
  const calls = [];
  const code = lines.map(({ at: own, line, bytesOf }) =>
    bytesOf((label) => {
      if (labels.has(label)) return labels.get(label) - own - 1;
      if (!line.startsWith('call ')) throw new Error(`no label ${label}`);
      calls.push({ name: label, at: own * WORD });
      return undefined;
    }),
  );
  return { code: Buffer.concat(code), calls, entry: labels.get('entrypoint') * WORD };
};

const numbers = (...fields) => {
  const parts = fields.map(([size, value]) => {
    const bytes = Buffer.alloc(WORD);
    bytes.writeBigUInt64LE(BigInt(value));
    return bytes.subarray(0, size);
  });
  return Buffer.concat(parts);
};
const u16 = (value) => [2, value];
const u32 = (value) => [4, value];
const u64 = (value) => [8, value];

/** Texts joined, each with a zero byte at its end, and the position of each. */
const strings = (texts) => {
  const places = new Map();
  let bytes = Buffer.of(0);
  for (const text of texts) {
    places.set(text, bytes.length);
    bytes = Buffer.concat([bytes, Buffer.from(text), Buffer.of(0)]);
  }
  return { bytes, places };
};

const [PROGBITS, STRTAB, DYNAMIC, REL, DYNSYM] = [1, 3, 6, 9, 11];
const [READ, WRITE_ALLOC, ALLOC, ALLOC_RUN] = [4, 3, 2, 6];
const [LOAD, DYNAMIC_PART] = [1, 2];
const HEADER_BYTES = 64;
const PART_BYTES = 56;
const PARTS = 3;
const BPF = 247;
const SHARED_OBJECT = 3;
/** R_BPF_64_32: the loader writes the number of the function at this position. */
const CALL_OF_RUNTIME = 10;

const aligned = (size) => Math.ceil(size / WORD) * WORD;

/** An ELF file for Solana's loader, with the code and the relocations of its calls of the runtime. */
const elf = ({ code, calls, entry }) => {
  const functions = [...new Set(calls.map(({ name }) => name))];
  const names = strings(functions);
  const textAt = HEADER_BYTES + PARTS * PART_BYTES;
  const symbols = Buffer.concat([
    Buffer.alloc(24),
    ...functions.map((name) => numbers(u32(names.places.get(name)), [1, 0x10], [1, 0], u16(0), u64(0), u64(0))),
  ]);
  const relocations = Buffer.concat(
    calls.map(({ name, at }) => numbers(u64(textAt + at), u32(CALL_OF_RUNTIME), u32(functions.indexOf(name) + 1))),
  );
  const DYNAMIC_BYTES = 8 * 16;
  const dynamicAt = textAt + aligned(code.length);
  const symbolsAt = dynamicAt + DYNAMIC_BYTES;
  const namesAt = symbolsAt + symbols.length;
  const relocationsAt = namesAt + aligned(names.bytes.length);
  const sectionNames = strings(['.text', '.dynamic', '.dynsym', '.dynstr', '.rel.dyn', '.shstrtab']);
  const sectionNamesAt = relocationsAt + relocations.length;
  const sectionsAt = sectionNamesAt + aligned(sectionNames.bytes.length);
  const dynamic = Buffer.concat(
    [
      [0x1e, 4],
      [0x11, relocationsAt],
      [0x12, relocations.length],
      [0x13, 16],
      [0x06, symbolsAt],
      [0x0b, 24],
      [0x05, namesAt],
      [0, 0],
    ].map(([tag, value]) => numbers(u64(tag), u64(value))),
  );
  const section = (name, kind, flags, at, size, { link = 0, info = 0, align = WORD, entrySize = 0 } = {}) =>
    numbers(
      ...[u32(sectionNames.places.get(name)), u32(kind), u64(flags), u64(flags & ALLOC ? at : 0), u64(at), u64(size)],
      ...[u32(link), u32(info), u64(align), u64(entrySize)],
    );
  const part = (kind, flags, at, size) =>
    numbers(u32(kind), u32(flags), u64(at), u64(at), u64(at), u64(size), u64(size), u64(WORD));
  const header = Buffer.concat([
    Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
    numbers(u16(SHARED_OBJECT), u16(BPF), u32(1), u64(textAt + entry), u64(HEADER_BYTES), u64(sectionsAt), u32(0)),
    numbers(u16(HEADER_BYTES), u16(PART_BYTES), u16(PARTS), u16(64), u16(7), u16(6)),
  ]);
  const pieces = [
    [0, header],
    [HEADER_BYTES, part(LOAD, READ | 1, textAt, code.length)],
    [HEADER_BYTES + PART_BYTES, part(LOAD, READ, symbolsAt, sectionNamesAt - symbolsAt)],
    [HEADER_BYTES + 2 * PART_BYTES, part(DYNAMIC_PART, READ | 2, dynamicAt, DYNAMIC_BYTES)],
    [textAt, code],
    [dynamicAt, dynamic],
    [symbolsAt, symbols],
    [namesAt, names.bytes],
    [relocationsAt, relocations],
    [sectionNamesAt, sectionNames.bytes],
    [
      sectionsAt,
      Buffer.concat([
        Buffer.alloc(64),
        section('.text', PROGBITS, ALLOC_RUN, textAt, code.length),
        section('.dynamic', DYNAMIC, WRITE_ALLOC, dynamicAt, DYNAMIC_BYTES, { link: 4, entrySize: 16 }),
        section('.dynsym', DYNSYM, ALLOC, symbolsAt, symbols.length, { link: 4, info: 1, entrySize: 24 }),
        section('.dynstr', STRTAB, ALLOC, namesAt, names.bytes.length, { align: 1 }),
        section('.rel.dyn', REL, ALLOC, relocationsAt, relocations.length, { link: 3, entrySize: 16 }),
        section('.shstrtab', STRTAB, 0, sectionNamesAt, sectionNames.bytes.length, { align: 1 }),
      ]),
    ],
  ];
  const whole = Buffer.alloc(sectionsAt + 7 * 64);
  for (const [at, bytes] of pieces) whole.set(bytes, at);
  return whole;
};

const MAX_LINE = 100;

const render = (bytes) => {
  const lines = bytes.toString('base64').match(new RegExp(`.{1,${MAX_LINE}}`, 'g'));
  return `// Written by test/tools/assemble-program.mjs from lender.s beside it; a test compares.

/** The lending program of provider_b, as an ELF file in base64. */
export const LENDER_PROGRAM = [
${lines.map((line) => `  '${line}',`).join('\n')}
].join('');
`;
};

const program = elf(assemble(await readFile(`${folder}lender.s`, 'utf8')));
const rendered = render(program);
if (process.argv.includes('--elf')) process.stdout.write(program);
else if (process.argv.includes('--check')) {
  if ((await readFile(artifactPath, 'utf8')) !== rendered) {
    process.stderr.write('artifact.ts is not what lender.s assembles to: run npm run program\n');
    process.exitCode = 1;
  }
} else await writeFile(artifactPath, rendered);
