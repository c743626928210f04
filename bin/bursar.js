#!/usr/bin/env node
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { main } from '../dist/main.js';

await main(process, fileURLToPath(import.meta.url));
