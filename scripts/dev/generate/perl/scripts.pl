# Prints the Unicode version of this Perl, and a line for each run of code points of one script: the first code point
# and the script.
use Unicode::UCD qw(prop_invmap);
print Unicode::UCD::UnicodeVersion(), "\n";
my ($starts, $scripts) = prop_invmap("Script");
print "$starts->[$_] $scripts->[$_]\n" for 0 .. $#$starts;
