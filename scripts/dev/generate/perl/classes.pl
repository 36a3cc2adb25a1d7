# Prints the Unicode version of this Perl, and a line for each character class: the code points at which it begins or
# ends.
use Unicode::UCD;
print Unicode::UCD::UnicodeVersion(), "\n";
for my $class (map { qr/$_/ } @ARGV) {
    my ($before, @changes) = (0);
    for my $code (0 .. 0x10FFFF) {
        my $now = ($code < 0xD800 || $code > 0xDFFF) && chr($code) =~ $class ? 1 : 0;
        push @changes, $code if $now != $before;
        $before = $now;
    }
    print "@changes\n";
}
