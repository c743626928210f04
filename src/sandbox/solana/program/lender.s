# The lending program of provider_b. For each wallet and mint, an account stores the lent shares: the position.
# Written in the syntax of LLVM's BPF assembler. test/tools/assemble-program.mjs makes artifact.ts from this file.
#
# Instruction data, 56 bytes:
#   0 kind (0 deposit, 1 withdraw)   1 bump of the position's address   2 decimals of the token   3..7 zero
#   8 units of the token   16 shares   24..55 owner of the position
# Accounts, each once:
#   0 wallet (signs, pays)   1 position   2 the wallet's tokens   3 the vault's tokens
#   4 mint   5 the provider's key (signs)   6 Token program   7 System program
# A position, 80 bytes: 0 the text "position"   8 owner   40 mint   72 shares
# The address of a position is derived from owner, mint and bump. A deposit creates the account if it does not exist.
#
# An account in the input (Solana's loader): 0 marker   1 signer   2 writable   8 key   40 owner   72 lamports
#   80 length of the data   88 the data, then 10,240 free bytes, padding to a multiple of 8, and 8 bytes of rent epoch.
# Errors: 1 accounts   2 data   3 signer   4 program   5 vault   6 position   7 shares   8 kind
#
# Stack of the entry point, below r10: 64 pointers to the 8 accounts   512 their descriptions, 56 bytes each
#   576 accounts of a call   616 the call   672 data of the call   720 seeds   736 list of the seeds

.text
.globl entrypoint
entrypoint:
  r6 = r1
  r0 = 1
  r2 = *(u64 *)(r6 + 0)
  if r2 != 8 goto end
  r6 += 8
  r7 = r10
  r7 += -64
  r8 = 8
each_account:
  # The marker is 255 if the account did not occur before.
  r0 = 1
  r2 = *(u8 *)(r6 + 0)
  if r2 != 255 goto end
  *(u64 *)(r7 + 0) = r6
  r7 += 8
  r2 = *(u64 *)(r6 + 80)
  r6 += r2
  r6 += 10343
  r6 &= -8
  r8 += -1
  if r8 != 0 goto each_account

  r0 = 2
  r2 = *(u64 *)(r6 + 0)
  if r2 != 56 goto end
  # From here on r6 is the instruction's data, r7 this program's address, r8 the position.
  r6 += 8
  r7 = r6
  r7 += 56
  r8 = *(u64 *)(r10 - 56)

  # The wallet and the provider must sign.
  r0 = 3
  r2 = *(u64 *)(r10 - 64)
  r2 = *(u8 *)(r2 + 1)
  if r2 != 1 goto end
  r1 = *(u64 *)(r10 - 24)
  r2 = *(u8 *)(r1 + 1)
  if r2 != 1 goto end
  r1 += 8
  call is_provider
  r1 = r0
  r0 = 3
  if r1 != 1 goto end

  # Accounts 6 and 7 must be the Token program and the System program.
  r1 = *(u64 *)(r10 - 16)
  r1 += 8
  call is_token_program
  r1 = r0
  r0 = 4
  if r1 != 1 goto end
  r1 = *(u64 *)(r10 - 8)
  r2 = *(u64 *)(r1 + 8)
  if r2 != 0 goto end
  r2 = *(u64 *)(r1 + 16)
  if r2 != 0 goto end
  r2 = *(u64 *)(r1 + 24)
  if r2 != 0 goto end
  r2 = *(u64 *)(r1 + 32)
  if r2 != 0 goto end

  # The vault must be a token account of the provider.
  r9 = *(u64 *)(r10 - 40)
  r1 = r9
  r1 += 40
  call is_token_program
  r1 = r0
  r0 = 5
  if r1 != 1 goto end
  r2 = *(u64 *)(r9 + 80)
  if r2 != 165 goto end
  r1 = r9
  r1 += 120
  call is_provider
  r1 = r0
  r0 = 5
  if r1 != 1 goto end

  r9 = 0
describe_each:
  r1 = r10
  r1 += -64
  r2 = r9
  r2 <<= 3
  r1 += r2
  r1 = *(u64 *)(r1 + 0)
  r2 = r10
  r2 += -512
  r3 = r9
  r3 *= 56
  r2 += r3
  call describe
  r9 += 1
  if r9 != 8 goto describe_each

  # An existing position must belong to this program, this owner and this mint.
  r2 = *(u64 *)(r8 + 80)
  if r2 == 0 goto no_position
  r0 = 6
  if r2 != 80 goto end
  r1 = r8
  r1 += 40
  r2 = r7
  call is_same
  r1 = r0
  r0 = 6
  if r1 != 1 goto end
  r2 = *(u64 *)(r8 + 88)
  r3 = 0x6e6f697469736f70 ll
  if r2 != r3 goto end
  r1 = r8
  r1 += 96
  r2 = r6
  r2 += 24
  call is_same
  r1 = r0
  r0 = 6
  if r1 != 1 goto end
  r1 = r8
  r1 += 128
  r2 = *(u64 *)(r10 - 32)
  r2 += 8
  call is_same
  r1 = r0
  r0 = 6
  if r1 != 1 goto end
  goto act

no_position:
  # Only a deposit creates a position, by CreateAccount of the System program. Its data: 0, lamports, size, owner.
  r0 = 6
  r2 = *(u8 *)(r6 + 0)
  if r2 != 0 goto end
  r2 = 0
  *(u32 *)(r10 - 672) = r2
  # The rent exemption of 80 bytes of data, in lamports: 6,960 for each byte of data and for 128 more.
  r2 = 1447680
  *(u64 *)(r10 - 668) = r2
  r2 = 80
  *(u64 *)(r10 - 660) = r2
  r2 = *(u64 *)(r7 + 0)
  *(u64 *)(r10 - 652) = r2
  r2 = *(u64 *)(r7 + 8)
  *(u64 *)(r10 - 644) = r2
  r2 = *(u64 *)(r7 + 16)
  *(u64 *)(r10 - 636) = r2
  r2 = *(u64 *)(r7 + 24)
  *(u64 *)(r10 - 628) = r2
  # The accounts of the call: the wallet and the position, both writable signers (257).
  r2 = *(u64 *)(r10 - 64)
  r2 += 8
  *(u64 *)(r10 - 576) = r2
  r2 = 257
  *(u64 *)(r10 - 568) = r2
  r2 = r8
  r2 += 8
  *(u64 *)(r10 - 560) = r2
  r2 = 257
  *(u64 *)(r10 - 552) = r2
  r2 = *(u64 *)(r10 - 8)
  r2 += 8
  *(u64 *)(r10 - 616) = r2
  r2 = r10
  r2 += -576
  *(u64 *)(r10 - 608) = r2
  r2 = 2
  *(u64 *)(r10 - 600) = r2
  r2 = r10
  r2 += -672
  *(u64 *)(r10 - 592) = r2
  r2 = 52
  *(u64 *)(r10 - 584) = r2
  # The seeds of the position's address are its signature.
  r2 = r6
  r2 += 24
  *(u64 *)(r10 - 720) = r2
  r2 = 32
  *(u64 *)(r10 - 712) = r2
  r2 = *(u64 *)(r10 - 32)
  r2 += 8
  *(u64 *)(r10 - 704) = r2
  r2 = 32
  *(u64 *)(r10 - 696) = r2
  r2 = r6
  r2 += 1
  *(u64 *)(r10 - 688) = r2
  r2 = 1
  *(u64 *)(r10 - 680) = r2
  r2 = r10
  r2 += -720
  *(u64 *)(r10 - 736) = r2
  r2 = 3
  *(u64 *)(r10 - 728) = r2
  r1 = r10
  r1 += -616
  r2 = r10
  r2 += -512
  r3 = 8
  r4 = r10
  r4 += -736
  r5 = 1
  call sol_invoke_signed_c
  if r0 != 0 goto end
  r2 = 0x6e6f697469736f70 ll
  *(u64 *)(r8 + 88) = r2
  r1 = r8
  r1 += 96
  r2 = r6
  r2 += 24
  call copy_key
  r1 = r8
  r1 += 128
  r2 = *(u64 *)(r10 - 32)
  r2 += 8
  call copy_key

act:
  # The shares change first; r9 has the new number. Then the tokens move. Accounts: from, mint, to, signer.
  r9 = *(u64 *)(r8 + 160)
  r3 = *(u64 *)(r6 + 16)
  r2 = *(u8 *)(r6 + 0)
  if r2 == 0 goto deposit
  r0 = 8
  if r2 != 1 goto end
  # Only the owner can withdraw.
  r1 = *(u64 *)(r10 - 64)
  r1 += 8
  r2 = r6
  r2 += 24
  call is_same
  r1 = r0
  r0 = 3
  if r1 != 1 goto end
  r3 = *(u64 *)(r6 + 16)
  r0 = 7
  if r3 > r9 goto end
  r9 -= r3
  r2 = *(u64 *)(r10 - 40)
  r3 = *(u64 *)(r10 - 48)
  r4 = *(u64 *)(r10 - 24)
  goto transfer
deposit:
  r9 += r3
  r0 = 7
  if r3 > r9 goto end
  r2 = *(u64 *)(r10 - 48)
  r3 = *(u64 *)(r10 - 40)
  r4 = *(u64 *)(r10 - 64)
transfer:
  *(u64 *)(r8 + 160) = r9
  r2 += 8
  *(u64 *)(r10 - 576) = r2
  r5 = 1
  *(u64 *)(r10 - 568) = r5
  r2 = *(u64 *)(r10 - 32)
  r2 += 8
  *(u64 *)(r10 - 560) = r2
  r5 = 0
  *(u64 *)(r10 - 552) = r5
  r3 += 8
  *(u64 *)(r10 - 544) = r3
  r5 = 1
  *(u64 *)(r10 - 536) = r5
  r4 += 8
  *(u64 *)(r10 - 528) = r4
  r5 = 256
  *(u64 *)(r10 - 520) = r5
  # TransferChecked of the Token program. Its data: 12, units, decimals.
  r2 = 12
  *(u8 *)(r10 - 672) = r2
  r2 = *(u64 *)(r6 + 8)
  *(u64 *)(r10 - 671) = r2
  r2 = *(u8 *)(r6 + 2)
  *(u8 *)(r10 - 663) = r2
  r2 = *(u64 *)(r10 - 16)
  r2 += 8
  *(u64 *)(r10 - 616) = r2
  r2 = r10
  r2 += -576
  *(u64 *)(r10 - 608) = r2
  r2 = 4
  *(u64 *)(r10 - 600) = r2
  r2 = r10
  r2 += -672
  *(u64 *)(r10 - 592) = r2
  r2 = 10
  *(u64 *)(r10 - 584) = r2
  r1 = r10
  r1 += -616
  r2 = r10
  r2 += -512
  r3 = 8
  r4 = 0
  r5 = 0
  call sol_invoke_signed_c
end:
  exit

# Writes the description of the account at r1 to r2, in the format for calls of other programs.
describe:
  r3 = r1
  r3 += 8
  *(u64 *)(r2 + 0) = r3
  r3 += 64
  *(u64 *)(r2 + 8) = r3
  r3 = *(u64 *)(r1 + 80)
  *(u64 *)(r2 + 16) = r3
  r3 = r1
  r3 += 88
  *(u64 *)(r2 + 24) = r3
  r3 += -48
  *(u64 *)(r2 + 32) = r3
  r3 = -1
  *(u64 *)(r2 + 40) = r3
  r3 = *(u8 *)(r1 + 1)
  *(u8 *)(r2 + 48) = r3
  r3 = *(u8 *)(r1 + 2)
  *(u8 *)(r2 + 49) = r3
  r3 = *(u8 *)(r1 + 3)
  *(u8 *)(r2 + 50) = r3
  exit

# Sets r0 to 1 if the 32 bytes at r1 equal those at r2, else to 0.
is_same:
  r0 = 0
  r3 = *(u64 *)(r1 + 0)
  r4 = *(u64 *)(r2 + 0)
  if r3 != r4 goto differs
  r3 = *(u64 *)(r1 + 8)
  r4 = *(u64 *)(r2 + 8)
  if r3 != r4 goto differs
  r3 = *(u64 *)(r1 + 16)
  r4 = *(u64 *)(r2 + 16)
  if r3 != r4 goto differs
  r3 = *(u64 *)(r1 + 24)
  r4 = *(u64 *)(r2 + 24)
  if r3 != r4 goto differs
  r0 = 1
differs:
  exit

# Sets r0 to 1 if the 32 bytes at r1 are the provider's key, EGSppFUp8dyUqFYdvoy8bC1i6gBo66PrMxWiJ6Dtmxyv, else to 0.
is_provider:
  r0 = 0
  r2 = *(u64 *)(r1 + 0)
  r3 = 0x4fc5376c87d71cc5 ll
  if r2 != r3 goto is_other
  r2 = *(u64 *)(r1 + 8)
  r3 = 0xffe413aa4e869599 ll
  if r2 != r3 goto is_other
  r2 = *(u64 *)(r1 + 16)
  r3 = 0x6be8c60df3461dae ll
  if r2 != r3 goto is_other
  r2 = *(u64 *)(r1 + 24)
  r3 = 0xf17429e5df981c8e ll
  if r2 != r3 goto is_other
  r0 = 1
is_other:
  exit

# Sets r0 to 1 if the 32 bytes at r1 are the Token program, TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA, else to 0.
is_token_program:
  r0 = 0
  r2 = *(u64 *)(r1 + 0)
  r3 = 0x93a165d7e1f6dd06 ll
  if r2 != r3 goto is_no_token_program
  r2 = *(u64 *)(r1 + 8)
  r3 = 0xac79ebce46e1cbd9 ll
  if r2 != r3 goto is_no_token_program
  r2 = *(u64 *)(r1 + 16)
  r3 = 0x91375b5fed85b41c ll
  if r2 != r3 goto is_no_token_program
  r2 = *(u64 *)(r1 + 24)
  r3 = 0xa900ff7e85f58c3a ll
  if r2 != r3 goto is_no_token_program
  r0 = 1
is_no_token_program:
  exit

# Copies the 32 bytes at r2 to r1.
copy_key:
  r3 = *(u64 *)(r2 + 0)
  *(u64 *)(r1 + 0) = r3
  r3 = *(u64 *)(r2 + 8)
  *(u64 *)(r1 + 8) = r3
  r3 = *(u64 *)(r2 + 16)
  *(u64 *)(r1 + 16) = r3
  r3 = *(u64 *)(r2 + 24)
  *(u64 *)(r1 + 24) = r3
  exit
