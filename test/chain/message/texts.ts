import { PAYER } from '../evm/given.ts';
import { wallet } from '../solana/given.ts';

/** The host of the service that sends the texts. */
export const HOST = 'api.pay.example.com';

const SOL = wallet.toBase58();
const NONCE = '9Q4NFmt5Vx8jNbVRLpW4';

const lines = (...all: readonly string[]): string => all.join('\n');

/** A sign-in message after EIP-4361. The options make invalid variants. */
export const eip4361 = (
  {
    domain = 'pay.example.com',
    uri = 'https://pay.example.com/kyc',
    statement = 'Prove that this wallet is yours.',
    more = '',
  } = {},
  account = 'Ethereum',
  address: string = PAYER,
): string =>
  lines(
    `${domain} wants you to sign in with your ${account} account:`,
    address,
    '',
    ...(statement === '' ? [] : [statement]),
    '',
    `URI: ${uri}`,
    'Version: 1',
    'Chain ID: 1',
    `Nonce: ${NONCE}`,
    `Issued At: 2026-11-21T07:59:00Z${more}`,
  );

/** Texts of a service that only ask for a proof of the wallet. The first word of each title is the language. */
export const HONEST: readonly (readonly [string, string])[] = [
  [
    'en plain',
    lines(
      'Please sign this message to prove that you own this wallet.',
      '',
      `Wallet: ${PAYER}`,
      `Nonce: ${NONCE}`,
      'Issued At: 2026-11-21T07:59:00Z',
      'Purpose: KYC',
    ),
  ],
  [
    'en with host',
    lines(
      `pay.example.com asks you to verify that you control ${PAYER} for identity verification (KYC).`,
      '',
      'This request will not trigger a blockchain transaction or cost any gas fees.',
      '',
      `Nonce: ${NONCE}`,
    ),
  ],
  [
    'en first person',
    lines(
      `I confirm that I am the owner of the wallet ${PAYER} and that I request identity verification.`,
      `Reference: KYC-2026-0042`,
      'Date: 21 November 2026, 08:00 UTC',
    ),
  ],
  [
    'en with link',
    lines(
      'Welcome! Sign to link this wallet with your KYC profile.',
      'By signing, you agree to our Terms of Service: https://pay.example.com/terms',
      '',
      `Address: ${PAYER}`,
      'Challenge: 7f9c2ba4e88f827d616045507605853e',
      'Expires At: 2026-11-21T08:10:00.000Z',
    ),
  ],
  [
    'en by support',
    lines(
      'Wallet ownership check',
      `Wallet address: ${PAYER}`,
      'Service: pay.example.com',
      'Support: support@pay.example.com',
      `One-time code: 482915`,
      'Signing is free and does not move any funds.',
      'We will never ask for your private key or seed phrase.',
    ),
  ],
  [
    'en json',
    JSON.stringify({
      domain: 'pay.example.com',
      wallet: PAYER,
      purpose: 'kyc',
      nonce: NONCE,
      issued_at: '2026-11-21T07:59:00Z',
      statement: 'I confirm that this wallet belongs to me.',
    }),
  ],
  [
    'en json on lines',
    JSON.stringify(
      {
        action: 'verify_wallet',
        walletAddress: PAYER,
        uri: 'https://pay.example.com/kyc/verify',
        requestId: 'b1f0c3d2-7a55-4a0e-9a7c-0f6f3f1f9b11',
        issuedAt: 1763712000000,
        expiresAt: 1800000000,
      },
      undefined,
      2,
    ),
  ],
  [
    'en anti-money-laundering',
    lines(
      'To comply with anti-money laundering regulations, we need to confirm that this wallet is under your control.',
      `Wallet: ${PAYER}`,
      `Nonce: ${NONCE}`,
    ),
  ],
  ['en one line', 'Prove that this wallet is yours. Nothing is paid and nothing is allowed by signing.'],
  [
    'pt plain',
    lines(
      'Assine esta mensagem para comprovar que você é o titular desta carteira.',
      '',
      `Carteira: ${PAYER}`,
      `Nonce: ${NONCE}`,
      'Emitido em: 2026-11-21T07:59:00Z',
      'Finalidade: verificação de identidade (KYC)',
    ),
  ],
  [
    'pt declaration',
    lines(
      `Declaro que sou o proprietário da carteira ${PAYER} e autorizo a verificação da minha identidade.`,
      'Esta assinatura não gera custos e não autoriza nenhuma transação.',
      'Código: 482915',
      'Válido até: 2026-11-21T08:10:00Z',
    ),
  ],
  [
    'pt with host',
    lines(
      'Olá! O serviço pay.example.com solicita a confirmação de posse desta carteira.',
      `Endereço: ${PAYER}`,
      'Desafio: 7f9c2ba4e88f827d616045507605853e',
      'Nenhum valor será transferido.',
    ),
  ],
  [
    'pt json',
    JSON.stringify({
      mensagem: 'Confirmo que esta carteira me pertence',
      carteira: PAYER,
      finalidade: 'kyc',
      nonce: NONCE,
    }),
  ],
  [
    'es plain',
    lines(
      'Firme este mensaje para demostrar que usted es el propietario de esta billetera.',
      '',
      `Billetera: ${PAYER}`,
      `Nonce: ${NONCE}`,
      'Emitido: 2026-11-21T07:59:00Z',
      'Propósito: verificación de identidad (KYC)',
    ),
  ],
  [
    'es sin costo',
    lines(
      'Confirmo que controlo la cartera indicada y solicito iniciar la verificación de identidad.',
      `Dirección: ${PAYER}`,
      'Firmar este mensaje no tiene ningún costo ni realiza ninguna transacción.',
      'Código único: 482915',
      'Sitio: https://kyc.pay.example.com',
    ),
  ],
  [
    'de plain',
    lines(
      'Bitte unterschreiben Sie diese Nachricht, um zu bestätigen, dass Ihnen diese Wallet gehört.',
      '',
      `Wallet: ${PAYER}`,
      `Nonce: ${NONCE}`,
      'Ausgestellt am: 2026-11-21T07:59:00Z',
      'Zweck: Identitätsprüfung (KYC)',
    ),
  ],
  [
    'de nachweis',
    lines(
      'Eigentumsnachweis für die Wallet-Adresse:',
      PAYER,
      '',
      'Mit dieser Signatur bestätige ich, dass ich der Inhaber dieser Adresse bin.',
      'Es wird keine Transaktion ausgelöst und es fallen keine Gebühren an.',
      'Einmalwert: 7f9c2ba4e88f827d',
      'Gültig bis: 2026-11-21T08:10:00Z',
    ),
  ],
  [
    'fr plain',
    lines(
      'Veuillez signer ce message pour prouver que vous êtes le propriétaire de ce portefeuille.',
      '',
      `Portefeuille : ${PAYER}`,
      `Nonce : ${NONCE}`,
      'Émis le : 2026-11-21T07:59:00Z',
      "Objet : vérification d'identité (KYC)",
      'Cette signature est gratuite et ne déclenche aucune transaction.',
    ),
  ],
  [
    'it plain',
    lines(
      'Firma questo messaggio per dimostrare di essere il proprietario di questo portafoglio.',
      '',
      `Portafoglio: ${PAYER}`,
      `Nonce: ${NONCE}`,
      'Scopo: verifica dell’identità (KYC)',
      'La firma è gratuita e non esegue alcuna transazione.',
    ),
  ],
  [
    'nl plain',
    lines(
      'Onderteken dit bericht om te bewijzen dat deze wallet van u is.',
      `Wallet: ${PAYER}`,
      `Nonce: ${NONCE}`,
      'Doel: identiteitsverificatie (KYC)',
    ),
  ],
  [
    'pl plain',
    lines(
      'Podpisz tę wiadomość, aby potwierdzić, że jesteś właścicielem tego portfela.',
      `Portfel: ${PAYER}`,
      `Nonce: ${NONCE}`,
      'Cel: weryfikacja tożsamości (KYC)',
    ),
  ],
  [
    'ru plain',
    lines(
      'Подпишите это сообщение, чтобы подтвердить, что этот кошелёк принадлежит вам.',
      `Кошелёк: ${PAYER}`,
      `Nonce: ${NONCE}`,
      'Цель: верификация личности (KYC)',
    ),
  ],
  [
    'tr plain',
    lines(
      'Bu cüzdanın size ait olduğunu kanıtlamak için lütfen bu mesajı imzalayın.',
      `Cüzdan: ${PAYER}`,
      `Nonce: ${NONCE}`,
      'Amaç: kimlik doğrulama (KYC)',
    ),
  ],
  [
    'zh plain',
    lines('请签署此消息以证明您是此钱包的所有者。', `钱包地址: ${PAYER}`, `随机数: ${NONCE}`, '用途: 身份验证 (KYC)'),
  ],
  [
    'ja plain',
    lines(
      'このウォレットの所有者であることを証明するために、このメッセージに署名してください。',
      `ウォレット: ${PAYER}`,
      `ナンス: ${NONCE}`,
      '目的: 本人確認 (KYC)',
    ),
  ],
  [
    'ko plain',
    lines(
      '이 지갑의 소유자임을 증명하기 위해 이 메시지에 서명해 주세요.',
      `지갑 주소: ${PAYER}`,
      `논스: ${NONCE}`,
      '목적: 본인확인 (KYC)',
    ),
  ],
  ['en sign-in', eip4361()],
  ['en sign-in at the host itself', eip4361({ domain: 'api.pay.example.com', uri: 'https://api.pay.example.com' })],
  ['en sign-in without a statement', eip4361({ statement: '' })],
  [
    'en sign-in with terms',
    eip4361({
      statement: 'I accept the Terms of Service: https://pay.example.com/tos',
      more: '\nExpiration Time: 2026-11-21T08:10:00Z\nRequest ID: kyc-42\nResources:\n- https://pay.example.com/privacy',
    }),
  ],
  ['pt sign-in', eip4361({ statement: 'Confirme que esta carteira é sua para concluir a verificação de identidade.' })],
  ['de sign-in', eip4361({ statement: 'Bestätigen Sie, dass Ihnen diese Wallet gehört.' })],
  [
    'en acme',
    lines('Pay Example asks you to confirm ownership of this wallet.', `Wallet: ${PAYER}`, `Nonce: ${NONCE}`),
  ],
];

/** Texts whose signature has an effect somewhere else, or that are not a proof of a wallet. */
export const HOSTILE: readonly (readonly [string, string])[] = [
  [
    'en login at another service',
    lines(
      'Welcome to OpenSea!',
      '',
      'Click to sign in and accept the OpenSea Terms of Service: https://opensea.io/tos',
      '',
      `Wallet address: ${PAYER}`,
      `Nonce: ${NONCE}`,
    ),
  ],
  [
    'en login at a service without a URL',
    lines('Sign in to Fantomix to verify that you own this wallet.', `Wallet: ${PAYER}`, `Nonce: ${NONCE}`),
  ],
  [
    'en login at a lower-case name',
    lines(
      'Please sign this message to verify that you own this wallet and continue at fantomix.',
      `Wallet: ${PAYER}`,
      `Nonce: ${NONCE}`,
    ),
  ],
  ['en only a nonce', 'I am signing my one-time nonce: 4827'],
  ['en hex', '0xdeadbeef'],
  ['en zkSync', 'Access zkSync account.\n\nOnly sign this message for a trusted client!'],
  [
    'en dYdX',
    lines('{', '  "name": "dYdX",', '  "action": "Sign in",', '  "onlySignOn": "https://trade.example.org"', '}'),
  ],
  ['en onlySignOn', lines('KYC verification of your wallet', `Wallet: ${PAYER}`, 'onlySignOn: trade.example.org')],
  ['en StarkEx', lines('Verify wallet ownership for KYC.', 'This signature is used to generate your private key.')],
  ['en derive', lines('Prove that this wallet is yours.', 'Sign to derive your L2 keys.', `Nonce: ${NONCE}`)],
  ['en unlock', 'Sign this message to unlock your account and prove that you own this wallet.'],
  ['en session key', lines('KYC verification', `Wallet: ${PAYER}`, 'Session key: 0x02ab', `Nonce: ${NONCE}`)],
  ['en encryption', 'This signature will be used to encrypt your identity data for KYC.'],
  ['en trading', lines('Enable trading for your wallet.', 'Identity verification complete.', `Nonce: ${NONCE}`)],
  [
    'en approval',
    lines('Prove that this wallet is yours.', 'By signing you approve the transfer of 100 USDT.', `Nonce: ${NONCE}`),
  ],
  [
    'en approval after a denial',
    'Prove that this wallet is yours. Nothing is paid, and you approve the transfer of all tokens.',
  ],
  ['en spelled', 'Prove that this wallet is yours: p r i v a t e k e y'],
  ['en homoglyph', 'Prove that this wallet is yours and give us its k\u0435y'],
  [
    'en opensea dot io',
    lines('Prove that this wallet is yours at opensea dot io', `Wallet: ${PAYER}`, `Nonce: ${NONCE}`),
  ],
  [
    'en e-mail address of another user',
    lines('Link this wallet to the KYC profile of mallory@evil.example', `Wallet: ${PAYER}`),
  ],
  [
    'en userinfo',
    lines('Verify wallet ownership (KYC) at https://pay.example.com@evil.example/kyc', `Nonce: ${NONCE}`),
  ],
  [
    'en longer host',
    lines('Verify wallet ownership (KYC) at https://pay.example.com.evil.example/kyc', `Nonce: ${NONCE}`),
  ],
  ['en host without a scheme', lines('Verify wallet ownership (KYC) at evil.example/kyc', `Nonce: ${NONCE}`)],
  ['en capital host', 'Verify wallet ownership (KYC) at EVIL.EXAMPLE.'],
  ['en ideographic dot', 'Verify wallet ownership (KYC) at evil\u3002example'],
  ['en full-width host', 'Verify wallet ownership (KYC) at \uff45vil\uff0eexample'],
  ['en IDN', 'Verify wallet ownership (KYC) at p\u0430y-example.com'],
  ['en punycode', 'Verify wallet ownership (KYC) at xn--py-example-3ve.com'],
  ['en IPv4 address', 'Verify wallet ownership (KYC) at 203.0.113.7:8080'],
  ['en IPv4 address as one number', 'Verify wallet ownership (KYC) at http://3405803783/'],
  ['en loopback', 'Verify wallet ownership (KYC) at localhost:3000'],
  ['en IPv6', 'Verify wallet ownership (KYC) at [2001:db8::1]'],
  ['en ENS', 'Prove that this wallet is yours: vitalik.eth'],
  ['en link of another scheme', 'Prove that this wallet is yours: ipfs://bafybeigdyrzt'],
  ['en javascript', 'Prove that this wallet is yours: javascript:alert(1)'],
  [
    'en host in JSON',
    JSON.stringify({ purpose: 'kyc', wallet: PAYER, nonce: NONCE, meta: { links: ['https:\\evil.example/'] } }),
  ],
  ['en host escaped in JSON', `{"purpose":"kyc","wallet":"${PAYER}","site":"\\u0065vil.example"}`],
  ['en key in JSON', JSON.stringify({ purpose: 'kyc', wallet: PAYER, seed: 'a' })],
  ['en broken JSON', `{"purpose":"kyc","wallet":"${PAYER}",`.concat('"frobnicate":')],
  ['en Solana chain', lines('Prove that this wallet on Solana is yours.', `Nonce: ${NONCE}`)],
  ['en StarkNet chain', lines('Prove that this wallet is yours.', 'Network: Starknet', `Nonce: ${NONCE}`)],
  ['en 32 bytes', 'Prove that this wallet is yours..'.slice(0, 32)],
  ['en digest', `0x${'ab'.repeat(32)}`],
  ['en sign-in at another host', eip4361({ domain: 'evil.example', uri: 'https://evil.example' })],
  ['en sign-in with another URI', eip4361({ uri: 'https://evil.example/kyc' })],
  ['en sign-in with another resource', eip4361({ more: '\nResources:\n- https://evil.example/tos' })],
  ['en sign-in with a resource that is not a web page', eip4361({ more: '\nResources:\n- ipfs://bafybeigdyrzt' })],
  ['en sign-in with a key', eip4361({ statement: 'Generate your trading key.' })],
  ['hu sign-in with a key', eip4361({ statement: 'Hozza létre a kereskedési kulcsát ezzel az aláírással.' })],
  ['en sign-in with another host in the statement', eip4361({ statement: 'Sign in to evil.example' })],
  [
    'en sign-in after a line break',
    `pay.example.com\n${eip4361({ domain: 'evil.example', uri: 'https://evil.example' })}`,
  ],
  ['en sign-in at localhost after a line break', lines('pay.example.com', eip4361({ domain: 'localhost' }))],
  ['en sign-in with an extra line', `${eip4361()}\nI also give my tokens away.`],
  ['en two sign-in messages', lines(eip4361(), '', eip4361({ domain: 'evil.example', uri: 'https://evil.example' }))],
  ['en sign-in with fields in another order', eip4361().replace('Version: 1\nChain ID: 1', 'Chain ID: 1\nVersion: 1')],
  ['en sign-in on another chain', eip4361().replace('Chain ID: 1', 'Chain ID: 324')],
  ['en sign-in with a user', eip4361({ domain: 'pay.example.com@evil.example' })],
  ['pt key', lines('Verificação KYC da sua carteira.', 'Assine para gerar sua chave privada.', `Nonce: ${NONCE}`)],
  ['pt login', lines('Bem-vindo à Mercatrix! Assine para entrar.', `Carteira: ${PAYER}`, `Nonce: ${NONCE}`)],
  [
    'pt approval',
    lines('Confirmo que sou o titular desta carteira e autorizo a transferência de fundos.', `Carteira: ${PAYER}`),
  ],
  [
    'pt seed',
    lines('Comprove a posse da carteira. Esta assinatura é a semente da sua conta de negociação.', `Nonce: ${NONCE}`),
  ],
  ['es key', lines('Verificación KYC de su billetera.', 'Firme para generar su clave privada.', `Nonce: ${NONCE}`)],
  [
    'es login',
    lines('Inicie sesión en Mercatrix para demostrar que es el propietario de esta billetera.', `Billetera: ${PAYER}`),
  ],
  ['es unlock', lines('Firme para desbloquear su cuenta y verificar su identidad.', `Nonce: ${NONCE}`)],
  [
    'es sign only at trusted sites',
    lines('Verificación de identidad. Firme este mensaje solo en sitios de confianza.', `Nonce: ${NONCE}`),
  ],
  [
    'de key',
    lines('KYC-Prüfung Ihrer Wallet.', 'Signieren Sie, um Ihren privaten Schlüssel zu erzeugen.', `Nonce: ${NONCE}`),
  ],
  [
    'de trading key',
    lines(
      'Bestätigen Sie, dass Ihnen diese Wallet gehört.',
      'Aus dieser Signatur wird Ihr Handelsschlüssel berechnet.',
    ),
  ],
  [
    'de login',
    lines('Melden Sie sich bei Marktfix an und bestätigen Sie, dass Ihnen diese Wallet gehört.', `Wallet: ${PAYER}`),
  ],
  [
    'fr key',
    lines('Vérification KYC de votre portefeuille.', 'Signez pour générer votre clé privée.', `Nonce: ${NONCE}`),
  ],
  ['it key', lines('Verifica KYC del portafoglio.', 'Firma per generare la tua chiave di trading.', `Nonce: ${NONCE}`)],
  [
    'ru key',
    lines('Подтвердите, что этот кошелёк принадлежит вам.', 'Подпись создаст ваш приватный ключ.', `Nonce: ${NONCE}`),
  ],
  ['zh key', lines('请签署此消息以证明您是此钱包的所有者。', '此签名用于生成您的私钥。', `随机数: ${NONCE}`)],
  ['ja key', lines('このウォレットの所有者であることを証明してください。', 'この署名から取引用の鍵を作成します。')],
  ['ko key', lines('이 지갑의 소유자임을 증명하기 위해 서명해 주세요.', '이 서명은 개인키를 생성합니다.')],
  [
    'fi in a language that bursar does not read',
    lines('Allekirjoita tämä viesti todistaaksesi, että lompakko on sinun.', `Nonce: ${NONCE}`),
  ],
];

/** Texts that only ask for a proof of a Solana wallet. */
export const SOLANA_HONEST: readonly (readonly [string, string])[] = [
  ['sign-in', eip4361({}, 'Solana', SOL)],
  [
    'sign-in with few fields',
    lines(
      'pay.example.com wants you to sign in with your Solana account:',
      SOL,
      '',
      'Prove that this wallet is yours.',
      '',
      `Nonce: ${NONCE}`,
    ),
  ],
  ['sign-in without fields', lines('pay.example.com wants you to sign in with your Solana account:', SOL)],
  ['plain', lines('Prove that this Solana wallet is yours.', `Wallet: ${SOL}`, 'Chain: solana', `Nonce: ${NONCE}`)],
];
