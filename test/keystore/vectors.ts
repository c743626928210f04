type Scrypt = { readonly n: number; readonly r: number; readonly p: number; readonly salt: string };

const scryptFile = (parts: { iv: string; ciphertext: string; mac: string }, kdfparams: Scrypt, address?: string) =>
  JSON.stringify({
    ...(address && { address }),
    crypto: {
      cipher: 'aes-128-ctr',
      cipherparams: { iv: parts.iv },
      ciphertext: parts.ciphertext,
      kdf: 'scrypt',
      kdfparams: { dklen: 32, ...kdfparams },
      mac: parts.mac,
    },
    id: '3198bc9c-6672-5ab3-d995-4942343ae5b6',
    version: 3,
  });

/**
 * Test vectors of go-ethereum, accounts/keystore/testdata: v3_test_vector.json, keystore/aaa and
 * very-light-scrypt.json. The first two are also in the Web3 Secret Storage Definition and in
 * ethereum/tests, KeyStoreTests/basic_tests.json.
 */
export const VECTORS = {
  definitionPbkdf2: {
    password: 'testpassword',
    key: '7a28b5ba57c53603b0b07b56bba752f7784bf506fa95edc395f5cf6c7514fe9d',
    file: JSON.stringify({
      crypto: {
        cipher: 'aes-128-ctr',
        cipherparams: { iv: '6087dab2f9fdbbfaddc31a909735c1e6' },
        ciphertext: '5318b4d5bcd28de64ee5559e671353e16f075ecae9f99c7a79a38af5f869aa46',
        kdf: 'pbkdf2',
        kdfparams: {
          c: 262144,
          dklen: 32,
          prf: 'hmac-sha256',
          salt: 'ae3cd4e7013836a3df6bd7241b12db061dbe2c6785853cce422d148a624ce0bd',
        },
        mac: '517ead924a9d0dc3124507e3393d175ce3ff7c1e96529c6c555ce9e51205e9b2',
      },
      id: '3198bc9c-6672-5ab3-d995-4942343ae5b6',
      version: 3,
    }),
  },
  definitionScrypt: {
    password: 'testpassword',
    key: '7a28b5ba57c53603b0b07b56bba752f7784bf506fa95edc395f5cf6c7514fe9d',
    file: scryptFile(
      {
        iv: '83dbcc02d8ccb40e466191a123791e0e',
        ciphertext: 'd172bf743a674da9cdad04534d56926ef8358534d458fffccd4e6ad2fbde479c',
        mac: '2103ac29920d71da29f15d75b4a16dbe95cfd7ff8faea1056c33131d846e3097',
      },
      { n: 262144, r: 1, p: 8, salt: 'ab0c7876052600dd703518d6fc3fe8984592145b591fc8fb5c6d43190334ba19' },
    ),
  },
  key31: {
    password: 'foo',
    key: '00fa7b3db73dc7dfdf8c5fbdb796d741e4488628c41fc4febd9160a866ba0f35',
    file: scryptFile(
      {
        iv: 'e0c41130a323adc1446fc82f724bca2f',
        ciphertext: '9517cd5bdbe69076f9bf5057248c6c050141e970efa36ce53692d5d59a3984',
        mac: 'd5e116151c6aa71470e67a7d42c9620c75c4d23229847dcc127794f0732b0db5',
      },
      { n: 2, r: 8, p: 1, salt: '711f816911c92d649fb4c84b047915679933555030b3552c1212609b38208c63' },
    ),
  },
  key30: {
    password: 'foo',
    key: '000081c29e8142bb6a81bef5a92bda7a8328a5c85bb2f9542e76f9b0f94fc018',
    file: scryptFile(
      {
        iv: '3ca92af36ad7c2cd92454c59cea5ef00',
        ciphertext: '108b7d34f3442fc26ab1ab90ca91476ba6bfa8c00975a49ef9051dc675aa',
        mac: '75d0e6759f7b3cefa319c3be41680ab6beea7d8328653474bd06706d4cc67420',
      },
      { n: 2, r: 8, p: 1, salt: 'd0769e608fb86cda848065642a9c6fa046845c928175662b8e356c77f914cd3b' },
    ),
  },
} as const;

/** Files of geth with published addresses and unpublished keys. */
export const NAMED_VECTORS = {
  aaa: {
    password: 'foobar',
    address: '0xf466859ead1932d743d622cb74fc058882e8648a',
    file: scryptFile(
      {
        iv: 'dfd9ee70812add5f4b8f89d0811c9158',
        ciphertext: 'cb664472deacb41a2e995fa7f96fe29ce744471deb8d146a0e43c7898c9ddd4d',
        mac: 'bac9af994b15a45dd39669fc66f9aa8a3b9dd8c22cb16e4d8d7ea089d0f1a1a9',
      },
      { n: 8, r: 8, p: 16, salt: '0d6769bf016d45c479213990d6a08d938469c4adad8a02ce507b4a4e7b7739f1' },
      'f466859ead1932d743d622cb74fc058882e8648a',
    ),
  },
  veryLight: {
    password: '',
    address: '0x45dea0fb0bba44f4fcf290bba71fd57d7117cbb8',
    file: scryptFile(
      {
        iv: 'dc4926b48a105133d2f16b96833abf1e',
        ciphertext: 'b87781948a1befd247bff51ef4063f716cf6c2d3481163e9a8f42e1f9bb74145',
        mac: '39990c1684557447940d4c69e06b1b82b2aceacb43f284df65c956daf3046b85',
      },
      { n: 2, r: 8, p: 1, salt: '004244bbdc51cadda545b1cfa43cff9ed2ae88e08c61f1479dbb45410722f8f0' },
      '45dea0fb0bba44f4fcf290bba71fd57d7117cbb8',
    ),
  },
} as const;
