// Column names, as different programs spell them.
import { plain } from "../contacts/search/name-fields.ts";

const ADDRESS =
  /^(primary|customer|subscriber|user|contact|billing|work)?(e?mail(1|1value)?|emailid|e?mail(address|adresse|adress|adres)(1|e)?)$|^(adresse(e?mail|electronique|demessagerie)|courriel|correo|(direccionde)?correoelectronico|direcciondeemail|indirizzo(di)?(e?mail|postaelettronica)|endereco(de)?e?mail|adrese?mail|epost(adress|adresse)?|sahkoposti(osoite)?|メールアドレス|邮箱|电子邮件(地址)?|電子郵件)$/;

/** The place of the addresses: a column `email`, or else the first that other programs name so; -1 = none. */
export function addressIn(names: readonly string[]): number {
  const exact = names.indexOf("email");
  return exact === -1 ? names.findIndex(isAddressName) : exact;
}

/** True if a column of this name may hold the addresses. */
export function isAddressName(name: string): boolean {
  return ADDRESS.test(plain(name));
}
